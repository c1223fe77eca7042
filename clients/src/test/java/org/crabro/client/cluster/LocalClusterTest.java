package org.crabro.client.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.crabro.client.process.ProgressWatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalClusterTest {
    @TempDir private Path directory;
    private Optional<Process> started = Optional.empty();

    @AfterEach
    void end() {
        started.ifPresent(Process::destroyForcibly);
    }

    @Test
    void findsAServerByItsDataDirectory() throws Exception {
        var cluster = new LocalCluster(directory);
        Process process = run(directory.resolve("n1"));

        assertThat(cluster.process(1)).isPresent();
        assertThat(cluster.kill(1)).isTrue();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void doesNotKillAProcessThatGotTheNumberOfAServer() throws Exception {
        var cluster = new LocalCluster(directory);
        Process process = run(directory.resolve("n2"));

        assertThat(cluster.process(1)).isEmpty();
        assertThat(cluster.kill(1)).isFalse();
        assertThat(process.isAlive()).isTrue();
    }

    @Test
    void waitsForAServerThatWorksHoweverLongItsStartTakes() throws Exception {
        var cluster = new LocalCluster(directory);
        Path data = directory.resolve("n1");
        Files.createDirectories(data.resolve("logs"));
        Path log = data.resolve("logs/crabro.log");
        var looks = new AtomicInteger();
        // Each look is 45 s later, and the server has logged a line at every second one. At the
        // last one, which is repeated until the server has seen it, its start ends.
        int last = 20;
        LongSupplier clock =
                () -> {
                    int look = Math.min(last, looks.getAndIncrement());
                    if (look % 2 == 0) {
                        write(log, "a line\n");
                    }
                    if (look == last) {
                        write(data.resolve("go"), "");
                    }
                    return look * Duration.ofSeconds(45).toNanos();
                };

        Process server =
                cluster.launch(
                        1,
                        command(
                                "until [ -e \"$1/go\" ]; do sleep 0.02; done; echo n1 is up: here; cat; exit 0",
                                data));
        started = Optional.of(server);
        cluster.awaitUp(1, server, new ProgressWatch(clock));

        assertThat(looks.get()).isGreaterThan(last);
        assertThat(cluster.kill(1)).isTrue();
        assertThat(cluster.process(1)).isEmpty();
    }

    @Test
    void namesTheLogOfAServerThatDoesNothing() throws Exception {
        var cluster = new LocalCluster(directory);
        var looks = new AtomicInteger();
        LongSupplier clock = () -> looks.getAndIncrement() * Duration.ofSeconds(45).toNanos();
        Process server = cluster.launch(1, command("cat; exit 0", directory.resolve("n1")));
        started = Optional.of(server);

        assertThatThrownBy(() -> cluster.awaitUp(1, server, new ProgressWatch(clock)))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "server n1 did not start: no progress for 120 s; see '%s'"
                                .formatted(directory.resolve("n1.log")));
        assertThat(cluster.kill(1)).isTrue();
    }

    @Test
    void namesTheLogOfAServerThatEnds() throws Exception {
        var cluster = new LocalCluster(directory);
        Process server = cluster.launch(1, command("exit 3", directory.resolve("n1")));

        assertThatThrownBy(() -> cluster.awaitUp(1, server, ProgressWatch.begin()))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "server n1 did not start; see '%s'".formatted(directory.resolve("n1.log")));
    }

    @Test
    void aServerThatStopsIsNotKilled() throws Exception {
        var cluster = new LocalCluster(directory);
        Files.createDirectories(directory.resolve("n1"));
        started =
                Optional.of(
                        new ProcessBuilder(
                                        command(
                                                "trap 'echo stops; exit 0' TERM; echo ready; while :; do sleep 0.02; done",
                                                directory.resolve("n1")))
                                .start());
        Files.writeString(directory.resolve("n1.pid"), Long.toString(started.orElseThrow().pid()));
        var said = started.orElseThrow().inputReader();
        assertThat(said.readLine()).isEqualTo("ready");

        LocalCluster.Stopped stopped = cluster.stopAll();

        assertThat(stopped).isEqualTo(new LocalCluster.Stopped(1, List.of()));
        assertThat(said.readLine()).isEqualTo("stops");
    }

    @Test
    void hasThreeConfigServersIfThereAreThreeServers() throws Exception {
        var small = new LocalCluster(directory.resolve("small"));
        small.begin(2, 0);
        assertThat(small.namedConfigServers()).isEqualTo("n1=127.0.0.1:19070");
        Files.createDirectories(directory.resolve("small/n1"));
        small.begin(4, 1_000);
        assertThat(small.configServers()).as("it stays as it began").isEqualTo(1);
        assertThat(small.configs()).containsExactly(URI.create("http://127.0.0.1:19071"));
        assertThat(small.portOffset()).as("it stays as it began").isZero();

        var large = new LocalCluster(directory.resolve("large"));
        large.begin(4, 0);
        assertThat(large.namedConfigServers())
                .isEqualTo("n1=127.0.0.1:19070,n2=127.0.0.1:19069,n3=127.0.0.1:19068");
    }

    @Test
    void addsItsOffsetToPorts() throws Exception {
        var cluster = new LocalCluster(directory);
        cluster.begin(3, 1_000);

        assertThat(cluster.namedConfigServers())
                .isEqualTo("n1=127.0.0.1:20070,n2=127.0.0.1:20069,n3=127.0.0.1:20068");
        assertThat(cluster.configs())
                .containsExactly(
                        URI.create("http://127.0.0.1:20071"),
                        URI.create("http://127.0.0.1:20072"),
                        URI.create("http://127.0.0.1:20073"));
    }

    @Test
    void refusesAnOffsetThatIsNoNumber() throws Exception {
        Files.writeString(directory.resolve("port-offset"), "many");

        assertThatThrownBy(() -> new LocalCluster(directory).configs())
                .isInstanceOf(IOException.class)
                .hasMessage("'%s' has no number".formatted(directory.resolve("port-offset")));
    }

    /** Returns a command that stands for a server with a data directory, which is {@code $1}. */
    private static List<String> command(String script, Path data) {
        return List.of("sh", "-c", script, "serve", data.toString());
    }

    private static void write(Path file, String line) {
        try {
            Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts a process with an argument, and notes its number as that of the first server. */
    private Process run(Path argument) throws IOException {
        // Cat waits for its input. The shell keeps its arguments, as it has a command after that.
        Process process =
                new ProcessBuilder("sh", "-c", "cat; exit 0", "serve", argument.toString()).start();
        started = Optional.of(process);
        Files.writeString(directory.resolve("n1.pid"), Long.toString(process.pid()));
        return process;
    }
}
