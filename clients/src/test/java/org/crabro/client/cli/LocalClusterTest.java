package org.crabro.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
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
        small.begin(2);
        assertThat(small.namedConfigServers()).isEqualTo("n1=127.0.0.1:19070");
        Files.createDirectories(directory.resolve("small/n1"));
        small.begin(4);
        assertThat(small.configServers()).as("it stays as it began").isEqualTo(1);

        var large = new LocalCluster(directory.resolve("large"));
        large.begin(4);
        assertThat(large.namedConfigServers())
                .isEqualTo("n1=127.0.0.1:19070,n2=127.0.0.1:19069,n3=127.0.0.1:19068");
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
