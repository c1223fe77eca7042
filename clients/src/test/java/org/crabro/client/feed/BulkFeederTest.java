package org.crabro.client.feed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.client.http.ServerRefusalException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Feeds a small HTTP server with scripted answers to lines. */
class BulkFeederTest {
    private static final Pattern ID = Pattern.compile("id:[^\"]*");

    private static final Pattern VERSION = Pattern.compile("\"v\":(\\d+)");

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<String> lines = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger busyAnswers = new AtomicInteger();
    private ToIntFunction<String> statuses = _ -> 200;
    private String retryAfter = "";
    private boolean isBulk = true;
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/document/v1/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        threads.close();
    }

    @Test
    void sendsEveryOperationOfLinesAndOfArrays() throws Exception {
        String one = "{\"put\":\"id:a:b::1\",\"fields\":{\"f\":\"}{\\\"[,\"}}";
        String two = "{\"update\":\"id:a:b::2\",\"fields\":{}}";
        for (String file :
                List.of(
                        one + "\n" + two,
                        "[" + one + "," + two + "]",
                        " [\n" + one + "\n,\n" + two + "\n]\n",
                        one + two,
                        one + "\r\n\r\n" + two + "\n")) {
            lines.clear();

            FeedStatistics statistics = feed(file);

            assertThat(lines).as(file).containsExactlyInAnyOrder(one, two);
            assertThat(statistics.ok()).isEqualTo(2);
            assertThat(statistics.errors()).isZero();
        }
    }

    @Test
    void makesOneLineOfAnOperationWithLineEnds() throws Exception {
        feed("{\n  \"put\": \"id:a:b::1\",\n  \"fields\": { }\n}\n");

        assertThat(lines).containsExactly("{   \"put\": \"id:a:b::1\",   \"fields\": { } }");
    }

    @Test
    void resendsLinesThatMetABusyServer() throws Exception {
        Map<String, Integer> asked = new HashMap<>();
        statuses =
                line -> asked.merge(line, 1, Integer::sum) < 3 && line.contains("::2") ? 429 : 200;

        FeedStatistics statistics =
                feed("{\"put\":\"id:a:b::1\"}{\"put\":\"id:a:b::2\"}{\"put\":\"id:a:b::3\"}");

        assertThat(statistics.ok()).isEqualTo(3);
        assertThat(asked.values()).containsExactlyInAnyOrder(1, 3, 1);
    }

    @Test
    void sendsNothingAgainBehindWhichAnotherWasCarriedOut() throws Exception {
        statuses = line -> line.contains("first") ? 503 : 200;

        FeedStatistics statistics =
                feed(
                        "{\"put\":\"id:a:b::1\",\"v\":\"first\"}{\"put\":\"id:a:b::1\",\"v\":\"last\"}");

        assertThat(lines).hasSize(2);
        assertThat(statistics.ok()).isEqualTo(1);
        assertThat(statistics.errors()).isEqualTo(1);
        assertThat(statistics.problems()).hasSize(1).first().asString().contains("id:a:b::1: 503");
    }

    @Test
    void asksABusyServerAgain() throws Exception {
        busyAnswers.set(2);

        FeedStatistics statistics = feed("{\"put\":\"id:a:b::1\"}");

        assertThat(statistics.ok()).isEqualTo(1);
        assertThat(lines).hasSize(1);
    }

    @Test
    void countsNoFullServerAsAFailedTry() throws Exception {
        busyAnswers.set(25);
        retryAfter = "0";

        FeedStatistics statistics = feed("{\"put\":\"id:a:b::1\"}");

        assertThat(statistics.ok()).isEqualTo(1);
        assertThat(statistics.errors()).isZero();
    }

    @Test
    void countsNoLineThatFindsAFullServerAsAFailedTry() throws Exception {
        Map<String, Integer> asked = new HashMap<>();
        statuses = line -> asked.merge(line, 1, Integer::sum) < 3 ? 429 : 200;
        var file = new StringBuilder();
        for (int i = 0; i < 12; i++) {
            file.append("{\"put\":\"id:a:b::%d\"}%n".formatted(i));
        }

        FeedStatistics statistics = feed(file.toString());

        assertThat(statistics.ok()).isEqualTo(12);
    }

    @Test
    void asksAFullServerWhetherItTakesLinesUntilItSays() throws Exception {
        busyAnswers.set(12);
        retryAfter = "0";
        isBulk = false;
        try (var feeder = feeder()) {
            assertThat(feeder.isOffered()).isFalse();
        }
        assertThat(busyAnswers).hasValue(0);
    }

    @Test
    void waitsNoLongerThanItsTimeLimit() throws Exception {
        busyAnswers.set(Integer.MAX_VALUE);
        retryAfter = "3600";
        try (var feeder = feeder()) {
            FeedStatistics statistics =
                    feeder.feed(
                            new ByteArrayInputStream("{\"put\":\"id:a:b::1\"}".getBytes(UTF_8)));

            assertThat(statistics.problems())
                    .containsExactly(
                            "operation 1, id:a:b::1: the server is full, and was for 600 s or asks"
                                    + " for a longer wait than that: 503 ");
            assertThatThrownBy(feeder::isOffered).isInstanceOf(ServerRefusalException.class);
        }
    }

    @Test
    void keepsTheOrderOfOneDocument() throws Exception {
        var file = new StringBuilder();
        for (int version = 0; version < 3_000; version++) {
            file.append(
                    "{\"put\":\"id:a:b::%d\",\"v\":%d,\"x\":\"%s\"}%n"
                            .formatted(version % 7, version, "x".repeat(1_000)));
        }

        feed(file.toString());

        Map<String, Integer> last = new HashMap<>();
        synchronized (lines) {
            for (String line : lines) {
                Matcher id = ID.matcher(line);
                assertThat(id.find()).isTrue();
                Matcher written = VERSION.matcher(line);
                assertThat(written.find()).isTrue();
                int version = Integer.parseInt(written.group(1));
                assertThat(last.merge(id.group(), version, Integer::max)).isEqualTo(version);
            }
        }
        assertThat(last).hasSize(7);
        assertThat(lines).hasSize(3_000);
    }

    @Test
    void reportsTheOutcomeOfEachOperation() throws Exception {
        statuses = line -> line.contains("::2") ? 412 : line.contains("nonsense") ? 400 : 200;

        FeedStatistics statistics =
                feed("{\"put\":\"id:a:b::1\"}\n{\"put\":\"id:a:b::2\"}\nnonsense\n");

        assertThat(statistics.operations()).isEqualTo(3);
        assertThat(statistics.conditionsNotMet()).isEqualTo(1);
        assertThat(statistics.errors()).isEqualTo(1);
        assertThat(statistics.json())
                .startsWith("{\n  \"feeder.operation.count\": 3,\n  \"feeder.seconds\": ")
                .contains("\"feeder.ok.count\": 1,\n")
                .contains("\"feeder.error.count\": 1,\n")
                .contains("\"http.response.error.count\": 2,\n")
                .endsWith(
                        "  \"http.response.code.counts\": {\n    \"200\": 1,\n    \"400\": 1,\n"
                                + "    \"412\": 1\n  }\n}");
    }

    @Test
    void knowsWhoTakesManyOperationsInARequest() throws Exception {
        try (var feeder = feeder()) {
            assertThat(feeder.isOffered()).isTrue();
            isBulk = false;
            assertThat(feeder.isOffered()).isFalse();
        }
    }

    private FeedStatistics feed(String file) throws Exception {
        try (var feeder = feeder()) {
            return feeder.feed(new ByteArrayInputStream(file.getBytes(UTF_8)));
        }
    }

    private BulkFeeder feeder() {
        return new BulkFeeder(URI.create("http://127.0.0.1:" + server.getAddress().getPort()), 2);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
            if (busyAnswers.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                if (!retryAfter.isEmpty()) {
                    exchange.getResponseHeaders().add("Retry-After", retryAfter);
                }
                exchange.sendResponseHeaders(503, -1);
                return;
            }
            if (!isBulk) {
                exchange.sendResponseHeaders(400, -1);
                return;
            }
            var answers = new StringBuilder();
            int number = 0;
            for (String line : body.lines().toList()) {
                number++;
                int status;
                synchronized (lines) {
                    lines.add(line);
                    status = statuses.applyAsInt(line);
                }
                answers.append("{\"line\":%d,\"status\":%d}%n".formatted(number, status));
            }
            answers.append("{\"totals\":{\"complete\":true}}\n");
            exchange.getResponseHeaders().add("Content-Type", "application/jsonl; charset=UTF-8");
            byte[] bytes = answers.toString().getBytes(UTF_8);
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }
}
