package org.crabro.container.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.zip.GZIPInputStream;
import org.crabro.container.http.AccessLog;
import org.crabro.container.http.HttpListener;
import org.crabro.container.http.HttpSettings;
import org.crabro.container.http.JsonReply;
import org.crabro.container.secret.Secrets;
import org.crabro.container.service.ServiceCall;
import org.crabro.container.service.ServiceClient;
import org.crabro.container.service.ServiceHosts;
import org.crabro.container.service.ServiceRules;
import org.crabro.protocol.trace.Spans;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Traces of requests at a real port, with a collector that keeps what it gets. */
class TracedRequestsTest {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String PARENT = "00-" + TRACE + "-00f067aa0ba902b7-01";

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final HttpClient client = HttpClient.newHttpClient();
    private final Queue<String> collected = new ConcurrentLinkedQueue<>();
    private final CountDownLatch open = new CountDownLatch(1);
    private final HttpServer collector = collector();

    private HttpServer collector() {
        try {
            HttpServer server =
                    HttpServer.create(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
            server.createContext(
                    "/",
                    exchange -> {
                        try (exchange;
                                var body = new GZIPInputStream(exchange.getRequestBody())) {
                            // A byte becomes a character, so that ids can be found.
                            collected.add(
                                    new String(body.readAllBytes(), StandardCharsets.ISO_8859_1));
                            open.await();
                            exchange.sendResponseHeaders(200, -1);
                        } catch (InterruptedException e) {
                            throw new IOException(e);
                        }
                    });
            server.start();
            return server;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private TraceSettings toCollector(double share, int queueSpans) {
        return new TraceSettings(
                List.of(
                        "http://127.0.0.1:%d/v1/traces"
                                .formatted(collector.getAddress().getPort())),
                share,
                queueSpans);
    }

    /** Answers with the headers that a call to another process would get. */
    private static final class Headers extends Handler.Abstract {
        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            var headers = new TreeMap<String, String>();
            Spans.writeHeaders(headers::put);
            JsonReply.send(response, callback, 200, "headers", headers.toString());
            return true;
        }
    }

    private String headers(Traces traces, String... headers) throws Exception {
        try (HttpListener listener =
                HttpListener.start(
                        HttpSettings.loopback(0),
                        new TracedRequests(new Headers(), traces),
                        new AccessLog())) {
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(
                            URI.create(listener.url() + "/search/?yql=a-secret-query"));
            if (headers.length > 0) {
                request.headers(headers);
            }
            return client.send(request.build(), BodyHandlers.ofString()).body();
        }
    }

    private double count(String name, String... tags) {
        return registry.get(name).tags(tags).counter().count();
    }

    @AfterEach
    void stop() {
        open.countDown();
        client.close();
        collector.stop(0);
    }

    @Test
    void passesTheTraceOfTheSenderOn() throws Exception {
        assertThat(headers(Traces.NONE)).contains("{}");
        assertThat(headers(Traces.NONE, "traceparent", PARENT))
                .contains("{traceparent=" + PARENT + "}");
        assertThat(headers(Traces.NONE, "traceparent", PARENT, "tracestate", "a=b"))
                .contains("{traceparent=" + PARENT + ", tracestate=a=b}");
    }

    @Test
    void dropsHeadersThatAreWrongOrLong() throws Exception {
        assertThat(headers(Traces.NONE, "traceparent", "00-none")).contains("{}");
        assertThat(
                        headers(
                                Traces.NONE,
                                "traceparent",
                                PARENT,
                                "tracestate",
                                "a=" + "b".repeat(511)))
                .contains("{traceparent=" + PARENT + "}");
    }

    @Test
    void sendsSpansThatSayNothingAboutTheQuery() throws Exception {
        open.countDown();
        String answer;
        try (Traces traces = Traces.start(toCollector(1, 10), "7.8", registry)) {
            answer = headers(traces, "traceparent", PARENT);
        }

        assertThat(answer).contains("traceparent=00-" + TRACE + "-").doesNotContain(PARENT);
        assertThat(String.join("", collected))
                .contains(new String(HexFormat.of().parseHex(TRACE), StandardCharsets.ISO_8859_1))
                .contains("GET /search/", "service.version", "7.8", "http.response.status_code")
                .doesNotContain("secret");
        assertThat(count("traces.spans.sent")).isEqualTo(1);
    }

    @Test
    void sendsNoSpanOfRequestsThatAreNotSampled() throws Exception {
        open.countDown();
        try (Traces traces = Traces.start(toCollector(0, 10), "1", registry)) {
            assertThat(headers(traces)).containsPattern("-0[02]}");
            assertThat(headers(traces, "traceparent", PARENT)).contains(TRACE).contains("-01}");
        }

        assertThat(count("traces.spans.sent")).isEqualTo(1);
    }

    @Test
    void dropsSpansInsteadOfWaitingForTheCollector() throws Exception {
        try (Traces traces = Traces.start(toCollector(1, 1), "1", registry)) {
            for (int i = 0; i < 5; i++) {
                assertThat(headers(traces)).contains("traceparent");
            }
            // One is with the collector, which has not answered, and one waits.
            assertThat(count("traces.spans.dropped", "reason", "queue")).isGreaterThanOrEqualTo(3);
            open.countDown();
        }

        assertThat(count("traces.spans.sent") + count("traces.spans.dropped", "reason", "queue"))
                .isEqualTo(5);
    }

    @Test
    void countsSpansThatTheCollectorDoesNotTake() throws Exception {
        collector.removeContext("/");
        try (Traces traces = Traces.start(toCollector(1, 10), "1", registry)) {
            assertThat(headers(traces)).contains("traceparent");
        }

        assertThat(count("traces.spans.dropped", "reason", "collector")).isEqualTo(1);
    }

    @Test
    void networkServicesGetTheTrace() throws Exception {
        open.countDown();
        var received = new ConcurrentLinkedQueue<String>();
        collector.removeContext("/");
        collector.createContext(
                "/model",
                exchange -> {
                    try (exchange) {
                        exchange.getRequestBody().readAllBytes();
                        received.add(exchange.getRequestHeaders().getFirst("traceparent"));
                        exchange.sendResponseHeaders(200, -1);
                    }
                });
        URI model =
                URI.create("http://127.0.0.1:%d/model".formatted(collector.getAddress().getPort()));
        var rules = new ServiceRules(Secrets.NONE, ServiceHosts.of("127.0.0.1"));
        Spans.Arrival arrival =
                Spans.arrival(
                        Traces.NONE.tracer(),
                        "test",
                        name -> name.equals("traceparent") ? PARENT : null);
        try (var services = new ServiceClient(rules);
                var _ = arrival.context().makeCurrent()) {
            assertThat(
                            services.post(
                                    new ServiceCall(
                                            model, Optional.empty(), "{}", Duration.ofSeconds(30))))
                    .isEmpty();
        }

        assertThat(received).containsExactly(PARENT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost:4318", "ftp://a/b", "http://", "no url"})
    void rejectsWhatIsNoEndpoint(String endpoint) {
        assertThatThrownBy(() -> new TraceSettings(List.of(endpoint), 1, 10))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("endpoint for spans")
                .hasMessageContaining(endpoint);
    }

    @Test
    void rejectsWrongNumbers() {
        assertThatThrownBy(() -> new TraceSettings(List.of(), 1.5, 10))
                .hasMessage(
                        "share is 1.5, must be from 0 to 1; queueSpans is 10, must be at least 1");
        assertThatThrownBy(() -> new TraceSettings(List.of("http://a", "http://b"), 1, 10))
                .hasMessageContaining("expected one endpoint for spans");
    }
}
