package org.crabro.samples.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.crabro.samples.fixture.PageCommands;
import org.crabro.samples.fixture.ServerCommand;
import org.crabro.samples.fixture.TestSettings;
import org.crabro.server.CrabroServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Types the commands of the pages on commands and on plans, in this process's Java. */
class CommandsPageIT {
    @TempDir private Path data;

    @Test
    void answersAsThePageSays() throws Exception {
        try (var server = CrabroServer.start(TestSettings.onAnyPorts(data))) {
            var commands =
                    PageCommands.of(server, data)
                            .with("bin/crabro", ServerCommand.shellText(server));
            PageCommands.Step deployment =
                    PageCommands.steps(PageCommands.page("getting-started.md")).getFirst();
            deployment.require(commands.type(deployment.command()));

            assertThat(commands.run(PageCommands.page("commands.md"))).isGreaterThan(3);
            assertThat(commands.run(PageCommands.page("explain.md"))).isEqualTo(1);
        }
    }
}
