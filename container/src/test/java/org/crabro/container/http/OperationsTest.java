package org.crabro.container.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What operators and load balancers ask, without a port. */
class OperationsTest {
    private final Server server = new Server();
    private final LocalConnector connector = new LocalConnector(server);
    private final PrometheusMeterRegistry registry =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private HealthState health = HealthState.UP;

    @BeforeEach
    void start() throws Exception {
        var handlers =
                new Handler.Sequence(
                        new StateHandler(() -> health, () -> 7, registry, "1.2.3"),
                        new StatusHandler(
                                () -> health,
                                () -> 7,
                                () ->
                                        List.of(
                                                new StatusHandler.Binding(
                                                        "some.DocumentV1ApiHandler",
                                                        List.of("/document/v1/*"))),
                                "1.2.3"),
                        new NotFoundHandler());
        server.addConnector(connector);
        server.setHandler(new Metrics(handlers, registry));
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
        registry.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "/state/v1/version  | {\"version\":\"1.2.3\"}",
                "/state/v1/config   | {\"config\":{\"generation\":7,\"container\":{\"generation\":7}}}",
                "/                  | {\"handlers\":[{\"id\":\"some.DocumentV1ApiHandler\",\"class\":\"some.DocumentV1ApiHandler\",\"bundle\":\"crabro\",\"serverBindings\":[\"http://*/document/v1/*\"]}]}",
                "/state/v1/other    | {\"error\":\"there is no /state/v1/other; there are [config, health, metrics, version]\"}",
                "/elsewhere         | {\"message\":\"nothing is served at /elsewhere\"}",
            })
    void answers(String path, String body) throws Exception {
        assertThat(get(path)).endsWith("\r\n\r\n" + body);
    }

    @Test
    void tellsItsHealthWithStatus200WhateverItIs() throws Exception {
        String up = get("/state/v1/health");
        health = new HealthState(HealthState.Code.INITIALIZING, "no application is deployed");
        String before = get("/state/v1/health");

        assertThat(up).startsWith("HTTP/1.1 200").contains("\"status\":{\"code\":\"up\"}");
        assertThat(before)
                .startsWith("HTTP/1.1 200")
                .contains(
                        "\"status\":{\"code\":\"initializing\",\"message\":\"no application is deployed\"}");
    }

    @Test
    void takesLoadOffAProcessThatDoesNotServe() throws Exception {
        String up = get("/status.html");
        health = new HealthState(HealthState.Code.DOWN, "stopping");
        String down = get("/status.html");

        assertThat(up).startsWith("HTTP/1.1 200").contains("<title>OK</title>");
        assertThat(down).startsWith("HTTP/1.1 404").endsWith("stopping\n");
    }

    @Test
    void countsRequestsByStatus() throws Exception {
        get("/elsewhere");
        get("/elsewhere");
        get("/state/v1/version");

        assertThat(get("/state/v1/metrics"))
                .containsPattern("\"name\":\"http.status.4xx\",\"values\":\\{\"count\":2")
                .containsPattern("\"name\":\"http.status.2xx\",\"values\":\\{\"count\":1");
        assertThat(get("/prometheus/v1/values")).contains("http_status_4xx_seconds_count 2");
        assertThat(get("/state/v1/metrics?format=prometheus"))
                .contains("Content-Type: text/plain; version=0.0.4")
                .contains("http_status_4xx_seconds_count 2");
    }

    @Test
    void givesTheApplicationStatusThatClientsWaitFor() throws Exception {
        assertThat(get("/ApplicationStatus"))
                .startsWith("HTTP/1.1 200 OK")
                .contains("\"vespa\":{\"version\":\"1.2.3\"}")
                .contains("\"generation\":7");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/state/v1/health", "/status.html", "/ApplicationStatus", "/"})
    void takesGetAlone(String path) throws Exception {
        String answer = connector.getResponse("POST " + path + " HTTP/1.0\r\n\r\n");

        assertThat(answer)
                .startsWith("HTTP/1.1 405")
                .endsWith("{\"error\":\"POST is not allowed at " + path + ", only GET\"}");
    }

    private String get(String path) throws Exception {
        return connector.getResponse("GET " + path + " HTTP/1.0\r\n\r\n");
    }
}
