package org.crabro.samples.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.TestSettings;
import org.crabro.samples.page.TypedCommands.Said;
import org.crabro.server.CrabroServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the commands that the page for operators has about settling, and compares the answers. */
class SettleIT {
    private static final Path ROOT = Path.of(System.getProperty("crabro.root"));

    @TempDir Path directory;

    @Test
    void writesEverythingToFilesAsThePageSays() throws Exception {
        String page = Files.readString(ROOT.resolve("docs/operations.md"));
        String section = page.substring(page.indexOf("## Settle"), page.indexOf("## systemd"));
        Path data = directory.resolve("data");
        int steps = 0;
        try (var server = CrabroServer.start(TestSettings.onAnyPorts(data));
                var http = new Http()) {
            Http.Answer deployed =
                    http.post(
                            server.config()
                                    .resolve("/application/v2/tenant/default/prepareandactivate"),
                            "application/zip",
                            NotesApplication.zip());
            assertThat(deployed.status()).as(deployed.toString()).isEqualTo(200);
            var commands = new TypedCommands(directory, server);
            Matcher step = TypedCommands.STEP.matcher(section);
            while (step.find()) {
                var note = Http.JSON.createObjectNode();
                note.putObject("fields").put("text", "note " + steps);
                var path = "/document/v1/test/note/group/anna/" + steps;
                assertThat(http.post(server.container().resolve(path), note).status())
                        .isEqualTo(200);
                assertThat(runs(data)).isEqualTo(steps);
                steps++;

                Said said = commands.run(step.group(1));

                assertThat(said.status()).as(step.group(1) + said).isZero();
                if (step.group(2) == null) {
                    assertThat(said.out())
                            .isEqualTo(
                                    "settled: 0 bytes of recent documents, 0 partitions to merge\n");
                } else {
                    assertThat(Http.JSON.readTree(said.out()))
                            .as(step.group(1))
                            .isEqualTo(Http.JSON.readTree(step.group(2)));
                }
                assertThat(runs(data)).isEqualTo(steps);
            }
        }
        assertThat(steps).isEqualTo(2);
    }

    private static long runs(Path data) throws Exception {
        try (var files = Files.walk(data)) {
            return files.filter(file -> file.toString().endsWith(".run")).count();
        }
    }
}
