package org.crabro.client.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.crabro.client.http.ServerAccess;
import org.crabro.client.http.ServerRefusalException;
import org.crabro.document.DocumentId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Feeds a small HTTP server with scripted answers. */
class FeedClientTest {
    private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger busyAnswers = new AtomicInteger();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private String retryAfter = "";
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        threads.close();
    }

    @Test
    void sendsEveryLineToItsDocument() throws Exception {
        FeedResult result =
                feed(
                        """
                        {"put": "id:a:b:g=x y:1/2", "fields": {"f": 1}}

                        {"remove": "id:a:b:n=18446744073709551615:z"}
                        {"fields": {"f": [1, {"put": 2}]}, "put": "id:a:b::plain"}
                        """);

        assertThat(result.stored()).isEqualTo(3);
        assertThat(result.failed()).isZero();
        assertThat(requests)
                .containsExactlyInAnyOrder(
                        "POST /document/v1/a/b/group/x+y/1%2F2"
                                + " {\"put\": \"id:a:b:g=x y:1/2\", \"fields\": {\"f\": 1}}",
                        "DELETE /document/v1/a/b/number/18446744073709551615/z ",
                        "POST /document/v1/a/b/docid/plain"
                                + " {\"fields\": {\"f\": [1, {\"put\": 2}]}, \"put\": \"id:a:b::plain\"}");
    }

    @Test
    void sendsUpdatesAndConditions() throws Exception {
        FeedResult result =
                feed(
                        """
                        {"update": "id:a:b::1", "condition": "b.f == 1", "fields": {}}
                        {"condition": "b.f == 1", "remove": "id:a:b::2"}
                        """);

        assertThat(result.stored()).isEqualTo(2);
        assertThat(requests)
                .containsExactlyInAnyOrder(
                        "PUT /document/v1/a/b/docid/1"
                                + " {\"update\": \"id:a:b::1\", \"condition\": \"b.f == 1\", \"fields\": {}}",
                        "DELETE /document/v1/a/b/docid/2?condition=b.f+%3D%3D+1 ");
    }

    @Test
    void asksABusyServerAgain() throws Exception {
        busyAnswers.set(3);

        FeedResult result = feed("{\"put\": \"id:a:b::1\", \"fields\": {}}");

        assertThat(result.stored()).isEqualTo(1);
        assertThat(requests).hasSize(4);
    }

    @Test
    void countsNoFullServerAsAFailedTry() throws Exception {
        busyAnswers.set(25);
        retryAfter = "0";

        FeedResult result = feed("{\"put\": \"id:a:b::1\", \"fields\": {}}");

        assertThat(result.stored()).isEqualTo(1);
        assertThat(requests).hasSize(26);
    }

    @Test
    void shakesHandsWithAFullServerUntilItAnswers() throws Exception {
        busyAnswers.set(12);
        retryAfter = "0";

        try (var client = FeedClient.connect(ServerAccess.of(address()))) {
            assertThat(client.isMultiplexed()).isFalse();
        }

        assertThat(requests).hasSize(12 + FeedSettings.DEFAULT.connections());
    }

    @Test
    void waitsNoLongerThanItsTimeLimit() throws Exception {
        try (var client = FeedClient.connect(ServerAccess.of(address()))) {
            busyAnswers.set(1);
            retryAfter = "3600";

            assertThat(client.send(FeedOperation.remove("id:a:b::1")).join().status())
                    .isEqualTo(429);
        }
        busyAnswers.set(1);
        assertThatThrownBy(() -> FeedClient.connect(ServerAccess.of(address())))
                .isInstanceOf(ServerRefusalException.class);
    }

    @Test
    void reportsANameThatHasNoAddress() {
        URI missing = URI.create("http://missing.invalid:8080");
        FeedSettings settings = FeedSettings.DEFAULT.withAttempts(1);
        var sender =
                new OperationSender(
                        ServerAccess.of(missing),
                        settings,
                        List.of(ServerAccess.of(missing).open(HttpClient.Version.HTTP_1_1)));
        try (sender) {
            assertThatThrownBy(() ->
                            sender.send(FeedOperation.remove("id:a:b::1"), new FeedStatistics())
                                    .join())
                    .hasRootCauseInstanceOf(UnresolvedAddressException.class)
                    .cause()
                    .hasMessage("name not found: there is no host 'missing.invalid'");
        }
    }

    @Test
    void keepsTheOrderOfOneDocument() throws Exception {
        var lines = new StringBuilder();
        for (int version = 0; version < 50; version++) {
            lines.append("{\"put\": \"id:a:b::same\", \"version\": ").append(version).append("}\n");
        }

        feed(lines.toString());

        assertThat(requests).hasSize(50);
        for (int version = 0; version < 50; version++) {
            assertThat(requests.get(version)).endsWith("\"version\": " + version + "}");
        }
    }

    @Test
    void reportsNumberAndReasonOfFailures() throws Exception {
        FeedResult result =
                feed(
                        """
                        {"put": "id:a:b::good", "fields": {}}
                        {"put": "no id", "fields": {}}
                        {"get": "id:a:b::1", "fields": {}}
                        {"put": "id:a:b::refused", "fields": {}}
                        broken
                        """);

        assertThat(result.stored()).isEqualTo(1);
        assertThat(result.failed()).isEqualTo(4);
        assertThat(result.problems())
                .hasSize(4)
                .anySatisfy(problem ->
                        assertThat(problem).startsWith("operation 2: ").contains("no id"))
                .anySatisfy(problem ->
                        assertThat(problem)
                                .isEqualTo(
                                        "operation 3: expected a member 'put', 'update' or 'remove'"
                                                + " with an id"))
                .anySatisfy(problem ->
                        assertThat(problem)
                                .isEqualTo(
                                        "operation 4, id:a:b::refused: 400 {\"message\":\"no\"}"))
                .anySatisfy(problem -> assertThat(problem).startsWith("operation 5: not JSON: "));
    }

    @Test
    void sendsOperationsWithConditionsAndReturnsTheirOutcomes() throws Exception {
        try (var client = FeedClient.connect(ServerAccess.of(address()))) {
            requests.clear();
            var put =
                    client.send(
                            FeedOperation.put("id:a:b:g=x:1", Map.of("f", "ä\""))
                                    .withCondition("b.f == 1"));
            var update =
                    client.send(
                            FeedOperation.update("id:a:b::2", Map.of("f", Map.of("assign", 3)))
                                    .creating());
            var refused = client.send(FeedOperation.remove("id:a:b::refused"));
            client.awaitAll();

            assertThat(put.join().isDone()).isTrue();
            assertThat(update.join().status()).isEqualTo(200);
            assertThat(refused.join())
                    .isEqualTo(
                            new OperationOutcome(
                                    DocumentId.parse("id:a:b::refused"),
                                    400,
                                    "{\"message\":\"no\"}"));
            assertThat(client.statistics().ok()).isEqualTo(2);
            assertThat(client.statistics().errors()).isEqualTo(1);
            assertThat(client.statistics().inFlight()).isZero();
        }
        assertThat(requests)
                .containsExactlyInAnyOrder(
                        "POST /document/v1/a/b/group/x/1?condition=b.f+%3D%3D+1"
                                + " {\"fields\":{\"f\":\"ä\\\"\"}}",
                        "PUT /document/v1/a/b/docid/2?create=true"
                                + " {\"fields\":{\"f\":{\"assign\":3}}}",
                        "DELETE /document/v1/a/b/docid/refused ");
    }

    @Test
    void waitsForCallbacksOfOutcomes() throws Exception {
        try (var client = FeedClient.connect(ServerAccess.of(address()))) {
            // The second attempt follows a pause, so the callback is there before the answer.
            busyAnswers.set(1);
            var isEarly = new AtomicBoolean();
            var sent = client.send(FeedOperation.remove("id:a:b::1"));
            Thread waiter = Thread.ofVirtual().unstarted(() -> awaitAll(client));
            var called =
                    sent.thenRun(() -> {
                        waiter.start();
                        isEarly.set(join(waiter, Duration.ofMillis(50)));
                    });

            called.join();

            assertThat(isEarly).isFalse();
            assertThat(join(waiter, Duration.ofMinutes(1))).isTrue();
        }
    }

    private static void awaitAll(FeedClient client) {
        try {
            client.awaitAll();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean join(Thread thread, Duration longest) {
        try {
            return thread.join(longest);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void failsAtOnceWhenTheServerHasNotAnsweredForLong() throws Exception {
        FeedSettings settings =
                FeedSettings.DEFAULT.withAttempts(1).withOpenAfter(Duration.ZERO).withWindow(1);
        try (var client = FeedClient.connect(ServerAccess.of(address()), settings)) {
            server.stop(0);

            assertThatThrownBy(() -> client.send(FeedOperation.remove("id:a:b::1")).join())
                    .hasCauseInstanceOf(IOException.class);
            assertThatThrownBy(() -> client.send(FeedOperation.remove("id:a:b::2")).join())
                    .hasRootCauseMessage(
                            address()
                                    + " has not answered for 0 s; nothing is sent until it"
                                    + " answers again");
        }
    }

    private URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    private FeedResult feed(String lines) throws Exception {
        var progress = new AtomicLong();
        try (var client = new FeedClient(address(), 8)) {
            FeedResult result =
                    client.feed(
                            new ByteArrayInputStream(lines.getBytes(StandardCharsets.UTF_8)),
                            done -> progress.accumulateAndGet(done, Math::max));
            assertThat(progress).hasValue(result.stored() + result.failed());
            return result;
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + body);
        boolean refused = exchange.getRequestURI().getPath().endsWith("refused");
        int status = busyAnswers.getAndDecrement() > 0 ? 429 : refused ? 400 : 200;
        byte[] answer = (refused ? "{\"message\":\"no\"}" : "{}").getBytes(StandardCharsets.UTF_8);
        if (status == 429 && !retryAfter.isEmpty()) {
            exchange.getResponseHeaders().add("Retry-After", retryAfter);
        }
        exchange.sendResponseHeaders(status, answer.length);
        exchange.getResponseBody().write(answer);
        exchange.close();
    }
}
