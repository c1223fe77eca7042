package org.crabro.server;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.crabro.content.storage.integrity.JournalRepair;
import org.crabro.content.storage.journal.JournalSalvage;
import org.crabro.content.storage.store.JournalCut;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Reports the losses of a damaged journal, and cuts the journal if the operator accepts them. */
@Command(
        name = "cut-journal",
        mixinStandardHelpOptions = true,
        description = {
            "Reports the losses of a damaged journal. The server must not be running.",
            "The exit status is 1 if something is lost and --accept-loss is not given."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  crabro cut-journal crabro-data"})
final class CutJournalCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "DIR",
            description = "The server's --data directory, or its content-data.")
    private Path directory = Path.of("");

    @Option(
            names = "--accept-loss",
            description =
                    "Write the readable records into runs, delete the journal and create a new one. The"
                            + " loss is then final: copy the files of the journal before.")
    private boolean isAccepted;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        boolean isLost = false;
        List<Path> stores = DataFiles.allStores(directory);
        for (Path store : stores) {
            if (stores.size() > 1) {
                out.printf("store %s:%n", store);
            }
            isLost |= cut(store, out);
        }
        out.println(
                isAccepted
                        ? "The journal was replaced by a new one; the server can start."
                        : "Nothing was changed.");
        out.flush();
        return isLost && !isAccepted ? 1 : 0;
    }

    /** Reports the losses of a store, and cuts its journal; returns whether there are losses. */
    private boolean cut(Path store, PrintWriter out) throws IOException {
        JournalCut.Report report = JournalRepair.run(store, isAccepted);
        out.printf("%d records are in no run and can be read%n", report.records());
        for (JournalSalvage.Gap gap : report.lost()) {
            out.printf(
                    "lost: records %d to %d, at byte %d of %s%n",
                    gap.first(), gap.last(), gap.offset(), gap.file());
        }
        if (report.lost().isEmpty()) {
            out.println("no lost records were found");
        } else {
            out.printf(
                    "They may belong to partitions %s; no other partition has lost records. If the"
                            + " newest version of a document is lost, an older one is shown. A"
                            + " removed document may be back.%n",
                    report.partitions().stream()
                            .map(String::valueOf)
                            .collect(Collectors.joining(", ")));
        }
        return !report.lost().isEmpty();
    }
}
