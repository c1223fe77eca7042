package org.crabro.client.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** All that is done with groups as wholes; each has a command of its own below. */
@Command(
        name = "group",
        mixinStandardHelpOptions = true,
        subcommands = {
            GroupListCommand.class,
            GroupExportCommand.class,
            GroupImportCommand.class,
            GroupDeleteCommand.class
        },
        description = "Lists groups, exports a group to a file, imports it, or deletes it.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  crabro group list home note",
            "  crabro group export home note anna --output anna.jsonl"
        })
public final class GroupCommand implements Runnable {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "expected a command: list, export, import or delete");
    }
}
