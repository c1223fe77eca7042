package org.crabro.samples.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.crabro.samples.fixture.PageCommands;
import org.crabro.samples.fixture.ServedSection;
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
    @ValueSource(
            strings = {
                FIRST_PAGE,
                "grouping.md",
                "reindexing.md",
                "visiting.md",
                "groups.md",
                "clusters.md"
            })
    void answersAsThePageSays(String name) throws Exception {
        String page = PageCommands.page(name);
        List<ServedSection> sections = ServedSection.of(page);
        assertThat(sections).hasSize(1);
        assertThat(sections.getFirst().steps()).hasSizeGreaterThan(5);

        try (var server = CrabroServer.start(sections.getFirst().settings(data))) {
            int steps = PageCommands.of(server, data).run(page);

            assertThat(steps).isEqualTo(sections.getFirst().steps().size());
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
