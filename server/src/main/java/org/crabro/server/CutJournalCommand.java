package org.crabro.server;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.crabro.content.JournalRepair;
import org.crabro.content.journal.JournalSalvage;
import org.crabro.content.recent.JournalCut;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Tells what a damaged journal has lost, and goes on without that where a person says so. */
@Command(
        name = "cut-journal",
        mixinStandardHelpOptions = true,
        description = {
            "Tells what a damaged journal has lost. The server must not be running.",
            "The exit status is 1 where something is lost and --accept-loss is not given."
        })
final class CutJournalCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "DIR",
            description = "The server's --data directory, or its content-data.")
    private Path directory = Path.of("");

    @Option(
            names = "--accept-loss",
            description =
                    "Write what is left into runs, delete the journal and begin another. What is"
                            + " lost then stays lost: copy the files of the journal before.")
    private boolean isAccepted;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        JournalCut.Report report = JournalRepair.run(DataFiles.documents(directory), isAccepted);
        out.printf("%d records are in no run and can be read%n", report.records());
        for (JournalSalvage.Gap gap : report.lost()) {
            out.printf(
                    "lost: records %d to %d, at byte %d of %s%n",
                    gap.first(), gap.last(), gap.offset(), gap.file());
        }
        if (report.lost().isEmpty()) {
            out.println("nothing is known to be lost");
        } else {
            out.printf(
                    "They may be of partitions %s; of all others nothing is lost. A document whose"
                            + " newest version is lost shows an older one, one that was removed"
                            + " may be back.%n",
                    report.partitions().stream()
                            .map(String::valueOf)
                            .collect(Collectors.joining(", ")));
        }
        out.println(
                isAccepted
                        ? "The journal was begun anew; the server starts."
                        : "Nothing was changed.");
        out.flush();
        return report.lost().isEmpty() || isAccepted ? 0 : 1;
    }
}
