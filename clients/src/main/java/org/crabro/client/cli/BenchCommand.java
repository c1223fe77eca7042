package org.crabro.client.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures a server under load. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = {
            "Measures a server under load: latencies, rates, failures.",
            "Options are those of vespa-fbench where it has them."
        },
        subcommands = {BenchQueryCommand.class, BenchFeedCommand.class, BenchVisitCommand.class},
        footerHeading = "%nExamples:%n",
        footer = {
            "  crabro bench query -q queries.txt -n 8 -s 30",
            "  crabro bench query -q queries.txt --rate 200 -s 60 --svg latencies.svg",
            "  crabro bench feed documents.jsonl -n 32 -r 1",
            "  crabro bench visit home note -n 2 -s 10"
        })
public final class BenchCommand implements Runnable {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "expected query, feed or visit");
    }
}
