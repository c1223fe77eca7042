package org.crabro.samples;

import static org.assertj.core.api.Assertions.assertThat;

import org.crabro.server.CrabroServer;
import org.crabro.server.ServerSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Types what the page for operators says of backups, compares the answers with those on the page,
 * and asks a server for what was restored.
 */
class BackupIT {
    private static final Path ROOT = Path.of(System.getProperty("crabro.root"));
    private static final int NOTES = 20;

    /** A command, then the answer. */
    private static final Pattern STEP =
            Pattern.compile("```sh\n(.*?)```\n\n```json\n(.*?)```\n", Pattern.DOTALL);

    @TempDir Path directory;

    @Test
    void restoresAsThePageSays() throws Exception {
        String page = Files.readString(ROOT.resolve("docs/server.md"));
        String section = page.substring(page.indexOf("## Backup and restore"));
        int steps = 0;
        try (var server = CrabroServer.start(ServerSettings.onAnyPorts(directory.resolve("data")));
                var http = new Http()) {
            deploy(http, server);
            for (int i = 0; i < NOTES; i++) {
                var note = Http.JSON.createObjectNode();
                note.putObject("fields").put("text", "note " + i);
                assertThat(http.post(server.container().resolve(path(i)), note).status())
                        .isEqualTo(200);
            }
            assertThat(
                            type(
                                    "bin/crabro backup --target /backups/other"
                                            + " --config http://127.0.0.1:19071",
                                    server))
                    .startsWith(directory.resolve("backups/other") + ": ")
                    .contains(" with everything acknowledged before ");
            Matcher step = STEP.matcher(section);
            while (step.find()) {
                steps++;
                assertThat(Http.JSON.readTree(type(step.group(1), server)))
                        .as(step.group(1))
                        .isEqualTo(Http.JSON.readTree(step.group(2)));
            }
        }
        assertThat(steps).isEqualTo(3);

        Path restored = directory.resolve("backups/restored");
        try (var server = CrabroServer.start(ServerSettings.onAnyPorts(restored));
                var http = new Http()) {
            for (int i = 0; i < NOTES; i++) {
                Http.Answer answer = http.get(server.container().resolve(path(i)));
                assertThat(answer.status()).isEqualTo(200);
                assertThat(answer.body().get("fields").get("text").asString())
                        .isEqualTo("note " + i);
            }
        }
    }

    private static void deploy(Http http, CrabroServer server) throws Exception {
        Http.Answer answer =
                http.post(
                        server.config()
                                .resolve("/application/v2/tenant/default/prepareandactivate"),
                        "application/zip",
                        NotesApplication.zip());
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    }

    private static String path(int number) {
        return "/document/v1/test/note/group/anna/" + number;
    }

    private String type(String command, CrabroServer server)
            throws IOException, InterruptedException {
        String crabro =
                "%s --add-modules=jdk.incubator.vector --enable-native-access=ALL-UNNAMED org.crabro.server.Crabro"
                        .formatted(Path.of(System.getProperty("java.home"), "bin", "java"));
        var builder =
                new ProcessBuilder(
                        "bash",
                        "-c",
                        command.replace("http://127.0.0.1:19071", server.config().toString())
                                .replace("/backups/", directory.resolve("backups") + "/")
                                .replace("bin/crabro", crabro));
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        Path problems = directory.resolve("problems");
        Process shell = builder.redirectError(problems.toFile()).start();
        String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor()).as(command + said + Files.readString(problems)).isZero();
        return said;
    }
}
