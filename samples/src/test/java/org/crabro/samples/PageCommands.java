package org.crabro.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.crabro.server.CrabroServer;

/**
 * Runs commands of a page against a server.
 *
 * @param container the address of the server's container
 * @param temporary replaces the directory {@code /tmp} in commands
 */
record PageCommands(URI container, Path temporary) {
    /** A command, then the answer. */
    static final Pattern STEP =
            Pattern.compile("```sh\n(.*?)```\n\n```json\n(.*?)```\n", Pattern.DOTALL);

    private static final Path ROOT = Path.of(System.getProperty("crabro.root"));

    PageCommands(CrabroServer server, Path temporary) {
        this(server.container(), temporary);
    }

    /** Runs a command, which must succeed, and returns its output. */
    String type(String command) throws IOException, InterruptedException {
        Process shell =
                new ProcessBuilder(
                                "bash",
                                "-c",
                                command.replace("http://127.0.0.1:8080", container.toString())
                                        .replace("/tmp/", temporary + "/"))
                        .directory(ROOT.toFile())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor()).as(command + said).isZero();
        return said;
    }
}
