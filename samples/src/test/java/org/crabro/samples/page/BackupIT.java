package org.crabro.samples.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.TestSettings;
import org.crabro.server.CrabroServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Types what the page for operators says of backups, compares the answers with those on the page,
 * and asks a server for what was restored.
 */
class BackupIT {
    private static final Path ROOT = Path.of(System.getProperty("crabro.root"));
    private static final int NOTES = 20;

    /** What commands of the page say that have no answer there. */
    private static final Map<Integer, String> EXPECTED =
            Map.of(
                    1,
                            "/.*/today: \\d+ files of \\d+ bytes, with everything acknowledged"
                                    + " before .*Z\n",
                    4,
                            "/.*/restored: \\d+ files of \\d+ bytes, with everything acknowledged"
                                    + " before .*Z\n"
                                    + "The application is active when a server starts on it.\n",
                    5, "");

    @TempDir Path directory;

    @Test
    void restoresAsThePageSays() throws Exception {
        String page = Files.readString(ROOT.resolve("docs/server.md"));
        String section =
                page.substring(
                        page.indexOf("## Backup and restore"),
                        page.indexOf("## A damaged journal"));
        int steps = 0;
        try (var server = CrabroServer.start(TestSettings.onAnyPorts(directory.resolve("data")));
                var http = new Http()) {
            deploy(http, server);
            for (int i = 0; i < NOTES; i++) {
                var note = Http.JSON.createObjectNode();
                note.putObject("fields").put("text", "note " + i);
                assertThat(http.post(server.container().resolve(path(i)), note).status())
                        .isEqualTo(200);
            }
            Matcher step = TypedCommands.STEP.matcher(section);
            while (step.find()) {
                steps++;
                String said = type(step.group(1), server);
                if (step.group(2) != null) {
                    assertThat(Http.JSON.readTree(said))
                            .as(step.group(1))
                            .isEqualTo(Http.JSON.readTree(step.group(2)));
                } else {
                    assertThat(said).as(step.group(1)).matches(EXPECTED.get(steps));
                }
            }
        }
        assertThat(steps).isEqualTo(5);

        findsEverything(directory.resolve("backups/restored"));
        findsEverything(directory.resolve("backups/copied"));
    }

    @Test
    void refusesARestoreOverData() throws Exception {
        Path data = directory.resolve("data");
        Path backup = directory.resolve("backups/of-nothing");
        try (var server = CrabroServer.start(TestSettings.onAnyPorts(data))) {
            type("bin/crabro backup --target " + backup, server);

            assertThat(fail("bin/crabro restore %s --data %s".formatted(backup, data), server))
                    .startsWith("the data directory '" + data + "' is not empty: it has '");
            assertThat(fail("bin/crabro restore %s --data %s/new".formatted(data, data), server))
                    .startsWith("the data directory is in the backup: ");
            assertThat(fail("bin/crabro restore %s --data /backups/new".formatted(data), server))
                    .startsWith("the directory is not a backup: ");
        }
    }

    /** A server that starts on the directory has the application and every note. */
    private static void findsEverything(Path data) throws Exception {
        try (var server = CrabroServer.start(TestSettings.onAnyPorts(data));
                var http = new Http()) {
            Http.Answer response =
                    http.get(
                            server.container()
                                    .resolve(
                                            "/search/?yql=select+*+from+note+where+text+contains+"
                                                    + "%22note%22&streaming.groupname=anna&hits=0"
                                                    + "&timeout=60s"));
            assertThat(response.body().get("root").get("fields").get("totalCount").asInt())
                    .as(response.toString())
                    .isEqualTo(NOTES);
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
        TypedCommands.Said said = new TypedCommands(directory, server).run(command);
        assertThat(said.status()).as(command + said).isZero();
        return said.out();
    }

    private String fail(String command, CrabroServer server)
            throws IOException, InterruptedException {
        TypedCommands.Said said = new TypedCommands(directory, server).run(command);
        assertThat(said.status()).as(command + said).isEqualTo(1);
        return said.problems();
    }
}
