package org.crabro.client.feed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.ToIntFunction;
import org.crabro.client.http.BusyServers;
import org.crabro.client.http.ServerAccess;
import org.crabro.client.spool.SpoolFullException;
import org.crabro.client.spool.SpoolSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Feeds a small HTTP server with scripted answers, through a spool. */
class SpooledFeedTest {
    private final List<String> bodies = Collections.synchronizedList(new ArrayList<>());
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private volatile ToIntFunction<String> statuses = _ -> 200;
    private HttpServer server;

    @TempDir private Path directory;

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
    void keepsNothingThatWasAcknowledged() throws Exception {
        try (FeedClient client = client()) {
            for (int i = 0; i < 100; i++) {
                var _ = client.send(put(i % 7, i));
            }
            client.awaitAll();

            assertThat(client.statistics().ok()).isEqualTo(100);
            assertThat(client.spooled()).isZero();
        }
        assertThat(bodies).hasSize(100);
        try (FeedClient client = client()) {
            client.awaitAll();
        }
        assertThat(bodies).hasSize(100);
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 404, 429, 500, 503, 504, 507})
    void keepsWhatMaySucceedLaterAndAllBehindIt(int status) throws Exception {
        statuses = body -> body.contains("\"v\":1}") ? status : 200;
        try (FeedClient client = client()) {
            var first = client.send(put(1, 0));
            var refused = client.send(put(1, 1));
            var behind = client.send(put(1, 2));
            var other = client.send(put(2, 3));
            client.awaitAll();

            assertThat(first.join().status()).isEqualTo(200);
            assertThat(refused.join().status()).isEqualTo(status);
            assertThatThrownBy(behind::join)
                    .hasRootCauseMessage(
                            "not sent, because an earlier operation on the document is not done");
            assertThat(other.join().status()).isEqualTo(200);
            assertThat(client.spooled()).isEqualTo(2);
        }
        statuses = _ -> 200;
        bodies.clear();
        try (FeedClient client = client()) {
            client.awaitAll();

            assertThat(bodies).extracting(SpooledFeedTest::version).containsExactly(1, 2);
            assertThat(client.spooled()).isZero();
            assertThat(client.statistics().ok()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 412, 413})
    void dropsWhatWouldBeRefusedEachTime(int status) throws Exception {
        statuses = body -> body.contains("\"v\":1}") ? status : 200;
        try (FeedClient client = client()) {
            var refused = client.send(put(1, 1));
            var behind = client.send(put(1, 2));
            client.awaitAll();

            assertThat(refused.join().status()).isEqualTo(status);
            assertThat(behind.join().status()).isEqualTo(200);
            assertThat(client.spooled()).isZero();
        }
    }

    @Test
    void sendsWhatIsLeftBeforeNewOperationsInTheOrderOfEachDocument() throws Exception {
        FeedClient first = client();
        server.stop(0);
        List<CompletableFuture<OperationOutcome>> sent = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            sent.add(first.send(put(i % 3, i)));
        }
        first.close();
        assertThat(sent)
                .allSatisfy(each ->
                        assertThatThrownBy(each::join).hasRootCauseInstanceOf(IOException.class));
        start();

        try (FeedClient second = client()) {
            for (int i = 20; i < 30; i++) {
                var _ = second.send(put(i % 3, i));
            }
            second.awaitAll();
            assertThat(second.spooled()).isZero();
        }

        for (int document = 0; document < 3; document++) {
            String own = "\"d\":" + document + ",";
            List<Integer> versions =
                    bodies.stream()
                            .filter(body -> body.contains(own))
                            .map(SpooledFeedTest::version)
                            .toList();
            assertThat(versions).hasSize(10).isSorted();
        }
    }

    @Test
    void acceptsNothingIntoAFullSpool() throws Exception {
        var small = new SpoolSettings(false, 4 << 20);
        try (FeedClient client = FeedClient.connect(access(), settings()).spool(directory, small)) {
            statuses = _ -> 507;
            FeedOperation large =
                    FeedOperation.put("id:a:b::large", Map.of("f", "x".repeat(3 << 20)));
            assertThat(client.send(large).join().status()).isEqualTo(507);

            assertThatThrownBy(() -> client.send(large).join())
                    .cause()
                    .isInstanceOf(SpoolFullException.class);
            assertThat(client.spooled()).isEqualTo(1);
            assertThat(client.statistics().inFlight()).isZero();
        }
    }

    private static FeedOperation put(int document, int version) {
        return FeedOperation.parse(
                "{\"put\":\"id:a:b::%d\",\"d\":%d,\"v\":%d}"
                        .formatted(document, document, version));
    }

    private static int version(String body) {
        return Integer.parseInt(body.replaceAll(".*\"v\":(\\d+).*", "$1"));
    }

    private FeedClient client() throws Exception {
        return FeedClient.connect(access(), settings()).spool(directory);
    }

    private ServerAccess access() {
        return ServerAccess.of(URI.create("http://127.0.0.1:" + server.getAddress().getPort()));
    }

    private static FeedSettings settings() {
        return FeedSettings.DEFAULT
                .withBusy(BusyServers.DEFAULT.withTimeout(Duration.ofMillis(200)))
                .withAttempts(1);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
            boolean isHandshake = exchange.getRequestURI().getPath().contains("handshake");
            if (!isHandshake) {
                bodies.add(body);
            }
            exchange.sendResponseHeaders(isHandshake ? 200 : statuses.applyAsInt(body), -1);
        }
    }
}
