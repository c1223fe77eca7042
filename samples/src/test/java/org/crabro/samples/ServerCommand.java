package org.crabro.samples;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.crabro.server.CrabroServer;

/** Runs a command of the server, such as {@code inspect}, in a process of its own. */
final class ServerCommand {
    /**
     * What came of it.
     *
     * @param status the exit status
     * @param output what it wrote, errors too
     */
    record Result(int status, String output) {}

    private ServerCommand() {}

    static Result run(String... arguments) throws IOException, InterruptedException {
        var command =
                new ArrayList<String>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "--enable-native-access=ALL-UNNAMED",
                                "org.crabro.server.Crabro"));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        return new Result(process.waitFor(), output);
    }

    /**
     * Returns the beginning of a shell command that runs the program for a server, in a process of
     * its own.
     */
    static String shellText(CrabroServer server) {
        return "CRABRO_TARGET=%s CRABRO_CONFIG=%s CLASSPATH='%s' '%s' -XX:TieredStopAtLevel=1 org.crabro.server.Crabro"
                .formatted(
                        server.container(),
                        server.config(),
                        System.getProperty("java.class.path"),
                        Path.of(System.getProperty("java.home"), "bin", "java"));
    }
}
