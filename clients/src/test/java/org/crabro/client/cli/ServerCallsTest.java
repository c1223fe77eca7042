package org.crabro.client.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.crabro.client.http.ServerAccess;
import org.crabro.client.http.ServerRefusalException;
import org.crabro.client.process.ProgressWatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Waits for the servers of a cluster, whose state each test gives. */
class ServerCallsTest {
    private static final long GENERATION = 7;
    private static final int STATUS_MIN = 100;

    private final AtomicInteger looks = new AtomicInteger();

    /**
     * The answers in their order; the last one is repeated. Numbers below {@value #STATUS_MIN} are
     * generations, others statuses.
     */
    private final List<Integer> answers = new CopyOnWriteArrayList<>();

    private HttpServer server;
    private URI config;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        config = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        server.createContext(
                "/",
                exchange -> {
                    int answer = answers.size() > 1 ? answers.removeFirst() : answers.getFirst();
                    byte[] body =
                            "{\"currentGeneration\":%d,\"message\":\"not yet\"}"
                                    .formatted(answer)
                                    .getBytes(UTF_8);
                    exchange.sendResponseHeaders(answer < STATUS_MIN ? 200 : answer, body.length);
                    exchange.getResponseBody().write(body);
                    exchange.close();
                });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void waitsForServersAsLongAsTheirStateChanges() throws Exception {
        answers.addAll(List.of(1, 2, 503, 3, 500, 4, 5, 6, 7));

        await(Duration.ofSeconds(100));

        assertThat(answers).containsExactly(7);
    }

    @Test
    void saysWhichStateDoesNotChange() {
        answers.add(6);

        assertThatThrownBy(() -> await(Duration.ofSeconds(50)))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(
                        "generation 7 is deployed, but not active on all servers: no progress for 120 s; see their logs. The last answer: {\"currentGeneration\":6");
    }

    @Test
    void passesOnARefusal() {
        answers.add(403);

        assertThatThrownBy(() -> await(Duration.ZERO)).isInstanceOf(ServerRefusalException.class);
    }

    /** Waits with a clock that moves by {@code step} between two looks. */
    private void await(Duration step) throws Exception {
        try (var calls = new ServerCalls(ServerAccess.of(config))) {
            calls.awaitServers(
                    config,
                    GENERATION,
                    new ProgressWatch(() -> looks.getAndIncrement() * step.toNanos()));
        }
    }
}
