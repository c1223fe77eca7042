package org.crabro.samples.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.crabro.client.cli.ServerProcess;
import org.crabro.samples.fixture.QuickServer;
import org.crabro.samples.fixture.ServerCommand;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command that stops a server, and processes that are none. */
class StopIT {
    private static final Duration ONE_MINUTE = Duration.ofMinutes(1);

    @TempDir private Path data;

    private ServerCommand.Result stop(String... more) throws Exception {
        var arguments = new java.util.ArrayList<>(List.of("stop", "--data", data.toString()));
        arguments.addAll(List.of(more));
        return ServerCommand.run(arguments.toArray(String[]::new));
    }

    @Test
    void stopsTheServerOfADirectory() throws Exception {
        try (ServerProcess server = QuickServer.start(data, List.of())) {
            ServerCommand.Result other = stop("--target", "http://127.0.0.1:1");
            assertThat(other.status()).isEqualTo(1);
            assertThat(other.output())
                    .contains("answers at [" + server.container() + ", " + server.config() + "]");
            assertThat(server.exitStatus(Duration.ZERO)).isEmpty();

            ServerCommand.Result stopped = stop("--target", server.container() + "/");

            assertThat(stopped.status()).as(stopped.output()).isZero();
            assertThat(stopped.output()).contains("Stopped the server with the data in " + data);
            assertThat(server.exitStatus(ONE_MINUTE)).isPresent();
            assertThat(data.resolve("running")).doesNotExist();
        }
        ServerCommand.Result again = stop();
        assertThat(again.status()).isEqualTo(1);
        assertThat(again.output()).contains("no server runs with the data in " + data);
    }

    /** A changed file in the directory does not make the command end another process. */
    @Test
    void stopsNoProcessThatIsNoServer() throws Exception {
        Process other =
                new ProcessBuilder(
                                "bash",
                                "-c",
                                "sleep 600; true",
                                "org.crabro.server.Crabro",
                                "serve")
                        .start();
        try {
            Files.writeString(
                    data.resolve("running"),
                    "pid=%d\nstarted=%s\n".formatted(other.pid(), java.time.Instant.now()));

            assertThat(stop().status()).isEqualTo(1);
            assertThat(other.isAlive()).isTrue();
        } finally {
            other.destroyForcibly().waitFor();
        }
    }
}
