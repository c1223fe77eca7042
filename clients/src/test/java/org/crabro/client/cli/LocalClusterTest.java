package org.crabro.client.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
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
    void hasThreeConfigServersIfThereAreThreeServers() throws Exception {
        var small = new LocalCluster(directory.resolve("small"));
        small.begin(2, 0);
        assertThat(small.namedConfigServers()).isEqualTo("n1=127.0.0.1:19070");
        Files.createDirectories(directory.resolve("small/n1"));
        small.begin(4, 1_000);
        assertThat(small.configServers()).as("it stays as it began").isEqualTo(1);
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
