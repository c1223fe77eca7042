package org.crabro.samples.page;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.crabro.server.CrabroServer;

/**
 * Runs commands of pages in a shell. Addresses are those of a server, and {@code /backups} is a
 * directory of the test.
 */
record TypedCommands(Path directory, CrabroServer server) {
    /** A step of a page: a command, and the answer in JSON where the page has one. */
    static final Pattern STEP =
            Pattern.compile("```sh\n(.*?)```\n(?:\n```json\n(.*?)```\n)?", Pattern.DOTALL);

    /** The end of a command. */
    record Said(int status, String out, String problems) {}

    Said run(String command) throws IOException, InterruptedException {
        String crabro =
                "%s -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED org.crabro.server.Crabro"
                        .formatted(Path.of(System.getProperty("java.home"), "bin", "java"));
        String config = server.config().toString();
        var builder =
                new ProcessBuilder(
                        "bash",
                        "-c",
                        command.replace("http://127.0.0.1:19071", config)
                                .replace(" /backups/", " " + directory.resolve("backups") + "/")
                                .replace("\"/backups/", "\"" + directory.resolve("backups") + "/")
                                .replaceAll(
                                        "(bin/crabro (?:backup|settle)\\b.*)",
                                        "$1 --config " + config)
                                .replace("bin/crabro", crabro));
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        Path problems = directory.resolve("problems");
        Process shell = builder.redirectError(problems.toFile()).start();
        String out = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Said(shell.waitFor(), out, String.join("\n", Files.readAllLines(problems)));
    }
}
