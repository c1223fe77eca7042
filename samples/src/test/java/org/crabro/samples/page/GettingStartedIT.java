package org.crabro.samples.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.crabro.samples.fixture.PageCommands;
import org.crabro.samples.fixture.TestSettings;
import org.crabro.server.CrabroServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Types what pages say, and compares the answers with those on the page. */
class GettingStartedIT {
    private static final String FIRST_PAGE = "getting-started.md";

    @TempDir Path data;

    @ParameterizedTest
    @ValueSource(strings = {FIRST_PAGE, "grouping.md", "reindexing.md"})
    void answersAsThePageSays(String page) throws Exception {
        try (var server = CrabroServer.start(TestSettings.onAnyPorts(data))) {
            int steps = PageCommands.of(server, data).run(PageCommands.page(page));

            assertThat(steps).isGreaterThan(5);
        }
    }

    @Test
    void answersAsThePageOnDocumentsSays() throws Exception {
        try (var server = CrabroServer.start(TestSettings.onAnyPorts(data))) {
            var commands = PageCommands.of(server, data);
            // The application that both pages use.
            PageCommands.Step deployment =
                    PageCommands.steps(PageCommands.page(FIRST_PAGE)).getFirst();
            deployment.require(commands.type(deployment.command()));

            assertThat(commands.run(PageCommands.page("documents.md"))).isGreaterThan(5);
        }
    }
}
