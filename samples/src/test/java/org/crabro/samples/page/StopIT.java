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

    @Test
    void stopsTheServerOfAnAddress() throws Exception {
        try (ServerProcess server = QuickServer.start(data, List.of())) {
            String wrong = "http://127.0.0.1:1";
            ServerCommand.Result none = ServerCommand.run("stop", "--target", wrong);
            assertThat(none.status()).isEqualTo(1);
            assertThat(none.output()).contains("no server of this machine", wrong, "--data");
            assertThat(server.exitStatus(Duration.ZERO)).isEmpty();

            ServerCommand.Result stopped =
                    ServerCommand.run(
                            "stop",
                            "--target",
                            "http://localhost:" + server.container().getPort() + "/search/");

            assertThat(stopped.status()).as(stopped.output()).isZero();
            assertThat(stopped.output()).contains("Stopped the server with the data in " + data);
            assertThat(server.exitStatus(ONE_MINUTE)).isPresent();
        }
    }

    /** The directory of one server cannot name the process of another one. */
    @Test
    void stopsNoServerThatAnotherDirectoryNames(@TempDir Path other) throws Exception {
        try (ServerProcess victim = QuickServer.start(data, List.of());
                ServerProcess liar = QuickServer.start(other, List.of())) {
            String claimed = "http://127.0.0.1:1";
            String lie = Files.readString(data.resolve("running")) + "address.0=" + claimed + "\n";
            Files.writeString(other.resolve("running"), lie);

            assertThat(ServerCommand.run("stop", "--target", claimed).status()).isEqualTo(1);
            assertThat(victim.exitStatus(Duration.ZERO)).isEmpty();
            assertThat(liar.exitStatus(Duration.ZERO)).isEmpty();
        }
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
