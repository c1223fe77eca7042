package org.crabro.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.crabro.client.cli.FeedCommand;
import org.junit.jupiter.api.Test;

class CrabroTest {
    @Test
    void readsTheOptionsOfTheCommandThatRunsAndOfNoOther() {
        assertThat(Crabro.needed("feed")).containsExactly(FeedCommand.class);
        assertThat(Crabro.needed("--version")).isEmpty();
    }

    @Test
    void readsAllOptionsForHelpAndForUnknownCommands() {
        int all = Crabro.commandLine().getSubcommands().size();

        assertThat(Crabro.needed("--help")).hasSize(all);
        assertThat(Crabro.needed("fed")).hasSize(all);
        assertThat(Crabro.needed("")).hasSize(all);
    }
}
