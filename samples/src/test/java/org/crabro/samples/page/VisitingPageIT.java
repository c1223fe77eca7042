package org.crabro.samples.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.PageCommands;
import org.crabro.samples.fixture.TestSettings;
import org.crabro.server.CrabroServer;
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
        try (var server = CrabroServer.start(TestSettings.onAnyPorts(data));
                var http = new Http()) {
            Http.Answer deployed =
                    http.post(
                            server.config()
                                    .resolve("/application/v2/tenant/default/prepareandactivate"),
                            "application/zip",
                            Http.zip(ROOT.resolve("samples").resolve(application)));
            assertThat(deployed.status()).as(deployed.toString()).isEqualTo(200);

            int steps = PageCommands.of(server, data).run(PageCommands.page(page));

            assertThat(steps).isGreaterThan(2);
        }
    }
}
