package org.crabro.client.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.crabro.client.process.ProgressWatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that only waits is the config server of a cluster. The test answers at its port. */
class LeaderWaitTest {
    private static final int CONFIG_PORT = 19_071;

    @TempDir private Path directory;
    private final AtomicInteger looks = new AtomicInteger();
    private volatile int status = 503;
    private Optional<Process> process = Optional.empty();
    private Optional<HttpServer> answering = Optional.empty();

    @AfterEach
    void end() {
        process.ifPresent(Process::destroyForcibly);
        answering.ifPresent(server -> server.stop(0));
    }

    @Test
    void waitsForAConfigServerThatDoesNotListenYet() throws Exception {
        int port = freePort();
        LocalCluster cluster = cluster(port);
        run();
        LongSupplier clock =
                clock(Duration.ofSeconds(30), Map.of(3, () -> listen(port), 6, () -> status = 200));

        new LeaderWait(cluster, new ProgressWatch(clock)).await();

        assertThat(looks.get()).isEqualTo(6);
    }

    @Test
    void namesTheAnswersAndTheLogsWhenNothingChanges() throws Exception {
        int port = freePort();
        LocalCluster cluster = cluster(port);
        run();
        LongSupplier clock = clock(Duration.ofSeconds(50), Map.of(1, () -> listen(port)));

        assertThatThrownBy(() -> new LeaderWait(cluster, new ProgressWatch(clock)).await())
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "no config server leads: no progress for 120 s; http://127.0.0.1:%d: status 503; see '%s'"
                                .formatted(port, directory.resolve("n1.log")));
    }

    @Test
    void endsWhenAConfigServerHasEnded() throws Exception {
        LocalCluster cluster = cluster(freePort());

        assertThatThrownBy(() -> new LeaderWait(cluster, ProgressWatch.begin()).await())
                .isInstanceOf(IOException.class)
                .hasMessage("server n1 has ended; see '%s'".formatted(directory.resolve("n1.log")));
    }

    private LocalCluster cluster(int port) throws IOException {
        var cluster = new LocalCluster(directory);
        cluster.begin(1, port - CONFIG_PORT);
        return cluster;
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void run() throws IOException {
        Path data = directory.resolve("n1");
        Process started =
                new ProcessBuilder("sh", "-c", "cat; exit 0", "serve", data.toString()).start();
        process = Optional.of(started);
        Files.writeString(directory.resolve("n1.pid"), Long.toString(started.pid()));
    }

    /**
     * Returns a clock that moves with each look.
     *
     * @param actions run at a look, from 1
     */
    private LongSupplier clock(Duration step, Map<Integer, Runnable> actions) {
        return () -> {
            int look = looks.incrementAndGet();
            actions.getOrDefault(look, () -> {}).run();
            return look * step.toNanos();
        };
    }

    private void listen(int port) {
        try {
            HttpServer server =
                    HttpServer.create(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
            server.createContext(
                    "/cluster/v2",
                    exchange -> {
                        exchange.sendResponseHeaders(status, -1);
                        exchange.close();
                    });
            server.start();
            answering = Optional.of(server);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
