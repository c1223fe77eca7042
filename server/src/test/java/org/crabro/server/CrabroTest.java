package org.crabro.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import org.crabro.client.cli.FeedCommand;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

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

    @Test
    void printsTheSameHelpWithoutReadingOptions() {
        assertThat(Crabro.namesAlone().getUsageMessage())
                .isEqualTo(Crabro.commandLine().getUsageMessage());
    }

    @Test
    void hasExamplesForEveryCommand() {
        requireExamples(Crabro.commandLine());
    }

    private static void requireExamples(CommandLine parent) {
        for (CommandLine command : parent.getSubcommands().values()) {
            String help = command.getUsageMessage();
            assertThat(help).contains("Examples:");
            assertThat(help.substring(help.indexOf("Examples:")))
                    .contains(command.getCommandSpec().qualifiedName());
            requireExamples(command);
        }
    }

    @Test
    void completesCommandsAndOptionsInBash() throws Exception {
        var script = new StringWriter();
        CommandLine commandLine = Crabro.commandLine().setOut(new PrintWriter(script));
        assertThat(commandLine.execute("completion", "bash")).isZero();

        var process =
                new ProcessBuilder(
                                "bash",
                                "-c",
                                script
                                        + "\nCOMP_WORDS=(crabro document g); COMP_CWORD=2;"
                                        + " _complete_crabro; echo ${COMPREPLY[@]}")
                        .redirectErrorStream(true)
                        .start();

        assertThat(
                        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                                .strip())
                .isEqualTo("get");
    }
}
