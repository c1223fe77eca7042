package org.crabro.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import org.crabro.server.CrabroServer;
import org.crabro.server.ServerSettings;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Types what pages on many documents say, and compares the answers with those on the page. */
class VisitingPageIT {
    private static final Path ROOT = Path.of(System.getProperty("crabro.root"));

    @TempDir Path data;

    @ParameterizedTest
    @CsvSource({
        "feeding.md, notes",
        "visiting.md, notes",
        "groups.md, notes",
        "clusters.md, tiers"
    })
    void answersAsThePageSays(String page, String application) throws Exception {
        Matcher step =
                PageCommands.STEP.matcher(Files.readString(ROOT.resolve("docs").resolve(page)));
        int steps = 0;

        try (var server = CrabroServer.start(ServerSettings.onAnyPorts(data));
                var http = new Http()) {
            Http.Answer deployed =
                    http.post(
                            server.config()
                                    .resolve("/application/v2/tenant/default/prepareandactivate"),
                            "application/zip",
                            Http.zip(ROOT.resolve("samples").resolve(application)));
            assertThat(deployed.status()).as(deployed.toString()).isEqualTo(200);
            var commands = new PageCommands(server, data);
            while (step.find()) {
                steps++;
                assertThat(Http.JSON.readTree(commands.type(step.group(1))))
                        .as(step.group(1))
                        .isEqualTo(Http.JSON.readTree(step.group(2)));
            }
        }

        assertThat(steps).isGreaterThan(2);
    }
}
