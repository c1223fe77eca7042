package org.crabro.client.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** All that is done with one document; each operation has a command of its own below. */
@Command(
        name = "document",
        mixinStandardHelpOptions = true,
        subcommands = {
            DocumentGetCommand.class,
            DocumentPutCommand.class,
            DocumentUpdateCommand.class,
            DocumentRemoveCommand.class
        },
        description = "Reads, writes, updates or removes one document.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  crabro document put id:home:note:g=anna:1 '{\"text\": \"Water the plants\"}'",
            "  crabro document get id:home:note:g=anna:1",
            "  crabro document update id:home:note:g=anna:1 '{\"time\": {\"assign\": 20}}'",
            "  crabro document remove id:home:note:g=anna:1"
        })
public final class DocumentCommand implements Runnable {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "expected a command: get, put, update or remove");
    }
}
