package org.crabro.samples.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.PageCommands;
import org.crabro.samples.fixture.TestSettings;
import org.crabro.server.CrabroServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Types what the page on feeding says, and compares the answers with those on the page. */
class FeedingPageIT {
    private static final Path ROOT = Path.of(System.getProperty("crabro.root"));

    @TempDir Path data;

    @Test
    void answersAsThePageOnFeedingSays() throws Exception {
        try (var server = CrabroServer.start(TestSettings.onAnyPorts(data));
                var http = new Http()) {
            Http.Answer deployed =
                    http.post(
                            server.config()
                                    .resolve("/application/v2/tenant/default/prepareandactivate"),
                            "application/zip",
                            Http.zip(ROOT.resolve("samples/notes")));
            assertThat(deployed.status()).as(deployed.toString()).isEqualTo(200);

            int steps = PageCommands.of(server, data).run(PageCommands.page("feeding.md"));

            assertThat(steps).isGreaterThan(2);
        }
    }
}
