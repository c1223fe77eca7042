package org.crabro.container.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests of operators and load balancers, without a port. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OperationsTest {
    private final Server server = new Server();
    private final LocalConnector connector = new LocalConnector(server);
    private Instant now = Instant.ofEpochSecond(1_700_000_000);
    private final MetricIntervals metrics = new MetricIntervals(() -> now);
    private HealthState health = HealthState.UP;
    private final Semaphore counted = new Semaphore(0);
    private int requests;

    /** Signals when a request was counted, which is after its answer was sent. */
    private final class Counted extends Handler.Wrapper {
        Counted(Handler handler) {
            super(handler);
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback)
                throws Exception {
            return super.handle(
                    request, response, Callback.from(callback, () -> counted.release()));
        }
    }

    @BeforeEach
    void start() throws Exception {
        var handlers =
                new Handler.Sequence(
                        new StateHandler(() -> health, () -> 7, metrics, "1.2.3"),
                        new StatusHandler(
                                () -> health,
                                () -> 7,
                                () ->
                                        List.of(
                                                new StatusHandler.Binding(
                                                        "some.DocumentV1ApiHandler",
                                                        List.of("/document/v1/*"))),
                                "1.2.3"),
                        new MetricsHandler(
                                () -> health,
                                () ->
                                        new ClusterNames(
                                                Optional.of("default"), Optional.of("notes")),
                                metrics,
                                "here"),
                        new NotFoundHandler());
        server.addConnector(connector);
        server.setHandler(new Counted(new Metrics(handlers, metrics.registry())));
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
        metrics.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "/state/v1/version  | {\"version\":\"1.2.3\"}",
                "/state/v1/config   | {\"config\":{\"generation\":7,\"container\":{\"generation\":7}}}",
                "/                  | {\"handlers\":[{\"id\":\"some.DocumentV1ApiHandler\",\"class\":\"some.DocumentV1ApiHandler\",\"bundle\":\"crabro\",\"serverBindings\":[\"http://*/document/v1/*\"]}],\"servers\":[{\"id\":\"http\",\"class\":\"org.crabro.container.http.HttpListener\",\"bundle\":\"crabro\"}]}",
                "/state/v1/other    | {\"error\":\"there is no /state/v1/other; there are [config, health, metrics, version]\"}",
                "/state/v1/         | {\"resources\":[{\"url\":\"http://local:80/state/v1/config\"},{\"url\":\"http://local:80/state/v1/health\"},{\"url\":\"http://local:80/state/v1/metrics\"},{\"url\":\"http://local:80/state/v1/version\"}]}",
                "/metrics/v1        | {\"resources\":[{\"url\":\"http://local:80/metrics/v1/values\"}]}",
                "/metrics/v2/       | {\"resources\":[{\"url\":\"http://local:80/metrics/v2/values\"}]}",
                "/prometheus/v1     | {\"resources\":[{\"url\":\"http://local:80/prometheus/v1/values\"}]}",
                "/elsewhere         | {\"message\":\"nothing is served at /elsewhere\"}",
            })
    void answers(String path, String body) throws Exception {
        assertThat(get(path)).endsWith("\r\n\r\n" + body);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/state/v1/other",
                "/metrics",
                "/metrics/v1/other",
                "/metrics/v3/values",
                "/metrics/v2/values/more",
                "/prometheus/v1/other"
            })
    void saysWhatThereIsInsteadOfAWrongPath(String path) throws Exception {
        assertThat(get(path))
                .startsWith("HTTP/1.1 404")
                .contains("{\"error\":\"there is no " + path + "; there are [");
    }

    @Test
    void reportsEachHealthWithStatus200() throws Exception {
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
    void keepsLoadFromAProcessThatDoesNotServe() throws Exception {
        String up = get("/status.html");
        health = new HealthState(HealthState.Code.DOWN, "stopping");
        String down = get("/status.html");

        assertThat(up).startsWith("HTTP/1.1 200").contains("<title>OK</title>");
        assertThat(down).startsWith("HTTP/1.1 404").endsWith("stopping\n");
    }

    @Test
    void reportsTheLastCompleteMinute() throws Exception {
        get("/elsewhere");
        get("/elsewhere");
        get("/state/v1/version");
        String during = get("/state/v1/metrics");
        passMinute();
        String after = get("/state/v1/metrics");
        String afterwards = get("/state/v1/health");
        passMinute();
        String later = get("/state/v1/metrics");

        assertThat(during)
                .contains("\"snapshot\":{\"from\":1700000000.000,\"to\":1700000000.000}")
                .contains("\"name\":\"http.status.4xx\",\"values\":{\"count\":0,\"rate\":0,");
        assertThat(after)
                .contains("\"snapshot\":{\"from\":1700000000.000,\"to\":1700000060.000}")
                .containsPattern(
                        "\"name\":\"http.status.4xx\",\"values\":\\{\"count\":2,\"rate\":0.0333")
                .contains("\"name\":\"http.status.2xx\",\"values\":{\"count\":2,");
        assertThat(afterwards).containsPattern("\"requestsPerSecond\",\"values\":\\{\"count\":4,");
        assertThat(later).contains("\"name\":\"http.status.4xx\",\"values\":{\"count\":0,");
    }

    @Test
    void reportsRequestsOfTheLastMinuteAsText() throws Exception {
        get("/elsewhere");
        passMinute();

        assertThat(get("/state/v1/metrics?format=prometheus"))
                .contains("Content-Type: text/plain; version=0.0.4")
                .contains("\r\n\r\n# ")
                .contains("\nhttp_status_4xx_count{} 1 1700000060000\n");
        assertThat(get("/prometheus/v1/values"))
                .contains("Content-Type: text/plain; version=0.0.4")
                .contains(
                        "\nhttp_status_4xx_count{clustername=\"default\","
                                + "vespa_service=\"vespa_container\",} 1 1700000060000\n")
                .contains("\nvespa_container_status{} 1 1700000060000\n");
    }

    @Test
    void reportsMetricsByService() throws Exception {
        Gauge.builder("vds.idealstate.buckets", () -> 5)
                .tag("disk", "a\"b")
                .register(metrics.registry());

        String node = body(get("/metrics/v1/values"));
        String nodes = body(get("/metrics/v2/values"));

        assertThat(node)
                .startsWith(
                        "{\"services\":[{\"name\":\"vespa.container\",\"timestamp\":1700000000,"
                                + "\"status\":{\"code\":\"up\",\"description\":\"\"},\"metrics\":["
                                + "{\"values\":{\"http.status.1xx.count\":0,")
                .contains("},\"dimensions\":{\"clustername\":\"default\"}}]}")
                .contains(
                        "{\"name\":\"vespa.searchnode\",\"timestamp\":1700000000,"
                                + "\"status\":{\"code\":\"up\",\"description\":\"\"},\"metrics\":[]}")
                .contains(
                        "{\"name\":\"vespa.distributor\",\"timestamp\":1700000000,"
                                + "\"status\":{\"code\":\"up\",\"description\":\"\"},\"metrics\":["
                                + "{\"values\":{\"vds.idealstate.buckets.average\":5,"
                                + "\"vds.idealstate.buckets.sum\":5,"
                                + "\"vds.idealstate.buckets.count\":1,"
                                + "\"vds.idealstate.buckets.last\":5,"
                                + "\"vds.idealstate.buckets.max\":5,"
                                + "\"vds.idealstate.buckets.min\":5,"
                                + "\"vds.idealstate.buckets.rate\":0},"
                                + "\"dimensions\":{\"clustername\":\"notes\",\"disk\":\"a\\\"b\"}}]}");
        assertThat(nodes)
                .startsWith(
                        "{\"nodes\":[{\"hostname\":\"here\",\"role\":\"hosts/here\","
                                + "\"services\":[{\"name\":\"vespa.container\",")
                .endsWith("]}]}]}");
        assertThat(get("/prometheus/v1/values"))
                .contains(
                        "\nvds_idealstate_buckets_last{clustername=\"notes\",disk=\"a\\\"b\","
                                + "vespa_service=\"vespa_distributor\",} 5 1700000000000\n");
    }

    @ParameterizedTest
    @CsvSource({
        "'', false",
        "?consumer=default, false",
        "?consumer=nobody, false",
        "?consumer=vespa, true",
        "?consumer=Vespa, true",
    })
    void reportsAllMetricsOnRequest(String consumer, boolean everything) throws Exception {
        metrics.registry().counter("content.store.unlisted");

        String node = get("/metrics/v1/values" + consumer);
        String nodes = get("/metrics/v2/values" + consumer);
        String text = get("/prometheus/v1/values" + consumer);

        assertThat(node.contains("content.store.unlisted.count")).isEqualTo(everything);
        assertThat(nodes.contains("content.store.unlisted.count")).isEqualTo(everything);
        assertThat(text.contains("content_store_unlisted_count")).isEqualTo(everything);
        assertThat(text).startsWith("HTTP/1.1 200").contains("http_status_2xx_count");
    }

    @Test
    void looksAtGaugesSeveralTimesAMinute() throws Exception {
        var value = new AtomicInteger();
        metrics.registry().gauge("mem.heap.used", value);
        for (int second = 10; second <= 60; second += 10) {
            now = now.plusSeconds(10);
            value.set(second);
            metrics.sample();
        }
        value.set(7);

        assertThat(get("/state/v1/metrics"))
                .contains(
                        "\"name\":\"mem.heap.used\",\"values\":{\"average\":35,\"sum\":210,"
                                + "\"count\":6,\"last\":7,\"max\":60,\"min\":10,\"rate\":0.1}");
    }

    @Test
    void leavesOutWhatAGaugeDoesNotKnow() throws Exception {
        metrics.registry().gauge("known", 1.0);
        metrics.registry().gauge("unknown", Double.NaN);
        metrics.sample();

        assertThat(get("/state/v1/metrics")).contains("\"known\"").doesNotContain("\"unknown\"");
    }

    @Test
    void reportsLatenciesInTheirOwnUnitWithPercentiles() throws Exception {
        for (String name : List.of("query_latency", "httpapi_latency")) {
            metrics.registry().timer(name).record(Duration.ofSeconds(2));
        }
        passMinute();

        String values = get("/state/v1/metrics");

        assertThat(values)
                .containsPattern(
                        "\"query_latency\",\"values\":\\{\"count\":1,\"rate\":0.01[67]+,"
                                + "\"average\":2000,\"sum\":2000,\"last\":2000,\"max\":2000,\"min\":2000,"
                                + "\"95percentile\":(19|20)\\d\\d[^,]*,"
                                + "\"99percentile\":(19|20)\\d\\d")
                .containsPattern(
                        "\"httpapi_latency\",\"values\":\\{\"count\":1,\"rate\":0.01[67]+,"
                                + "\"average\":2,\"sum\":2,\"last\":2,\"max\":2,\"min\":2,\"95percentile\":(2|1\\.9)")
                .doesNotContain("query_latency.percentile");
        assertThat(get("/state/v1/metrics/histograms"))
                .contains("Content-Type: text/plain")
                .contains("# query_latency, milliseconds")
                .contains("# httpapi_latency, seconds")
                .contains("Percentile");
    }

    @Test
    void reportsTheShortestLongestAndLastTimeOfAMinute() throws Exception {
        Timer timer = metrics.registry().timer("http.requests");
        String during = get("/state/v1/health");
        passMinute();
        for (int seconds : new int[] {3, 9, 1, 5}) {
            timer.record(Duration.ofSeconds(seconds));
        }
        passMinute();
        String after = get("/state/v1/health");
        passMinute();
        String later = get("/state/v1/health");

        assertThat(during)
                .contains("{\"average\":0,\"sum\":0,\"count\":0,\"last\":0,\"max\":0,")
                .contains("\"max\":0,\"min\":0,\"rate\":0}");
        assertThat(after)
                .contains(
                        "\"latencySeconds\",\"values\":{\"average\":4.5,\"sum\":18,"
                                + "\"count\":4,\"last\":5,\"max\":9,\"min\":1,\"rate\":0.0666");
        assertThat(later).contains("\"count\":1,").doesNotContain("\"max\":9,");
    }

    @Test
    void reportsServicesDownWithTheProcess() throws Exception {
        health = new HealthState(HealthState.Code.INITIALIZING, "no application is deployed");
        String before = get("/metrics/v1/values");
        health = new HealthState(HealthState.Code.DOWN, "stopping");
        String down = get("/metrics/v1/values");

        assertThat(before)
                .contains("{\"code\":\"unknown\",\"description\":\"no application is deployed\"}")
                .contains("{\"code\":\"up\",\"description\":\"\"}");
        assertThat(down)
                .contains("{\"code\":\"down\",\"description\":\"stopping\"}")
                .doesNotContain("\"up\"");
        assertThat(get("/prometheus/v1/values"))
                .contains("\nvespa_searchnode_status{} 0 1700000000000\n");
    }

    @Test
    void givesTheApplicationStatusThatClientsWaitFor() throws Exception {
        assertThat(get("/ApplicationStatus"))
                .startsWith("HTTP/1.1 200 OK")
                .contains("\"vespa\":{\"version\":\"1.2.3\"}")
                .contains("\"generation\":7");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/state/v1/health",
                "/status.html",
                "/ApplicationStatus",
                "/",
                "/metrics/v1/values",
                "/metrics/v2",
                "/prometheus/v1/values"
            })
    void acceptsGetOnly(String path) throws Exception {
        String answer = connector.getResponse("POST " + path + " HTTP/1.0\r\n\r\n");

        assertThat(answer)
                .startsWith("HTTP/1.1 405")
                .endsWith("{\"error\":\"POST is not allowed at " + path + ", only GET\"}");
    }

    private void passMinute() {
        counted.acquireUninterruptibly(requests);
        requests = 0;
        now = now.plusSeconds(60);
        metrics.sample();
    }

    private static String body(String answer) {
        return answer.substring(answer.indexOf("\r\n\r\n") + 4);
    }

    private String get(String path) throws Exception {
        requests++;
        return connector.getResponse("GET " + path + " HTTP/1.0\r\nHost: local:80\r\n\r\n");
    }
}
