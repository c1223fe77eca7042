package org.crabro.server;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.crabro.content.storage.integrity.ManifestRebuild;
import org.crabro.content.storage.integrity.ManifestRepair;
import org.crabro.content.storage.journal.Damage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Reports the partitions that do not open, and creates manifests from the existing runs. */
@Command(
        name = "rebuild-manifest",
        mixinStandardHelpOptions = true,
        description = {
            "Reports the partitions that do not open because their manifest or directory is lost, and"
                    + " the contents of their runs. The server must not be running.",
            "The exit status is 1 if there is such a partition and --accept-loss is not given."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  crabro rebuild-manifest crabro-data"})
final class RebuildManifestCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "DIR",
            description = "The server's --data directory, or its content-data.")
    private Path directory = Path.of("");

    @Option(
            names = "--accept-loss",
            description =
                    "Write the newest version of each document into a new run and make a manifest"
                            + " for it. The files before are moved to lost+found/kept.")
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
            isLost |= rebuild(store, out);
        }
        out.flush();
        return isLost && !isAccepted ? 1 : 0;
    }

    /** Reports the lost manifests of a store, and creates new ones; returns whether some are. */
    private boolean rebuild(Path store, PrintWriter out) throws IOException {
        Map<Integer, ManifestRebuild.Report> reports = ManifestRepair.run(store, isAccepted);
        reports.forEach((partition, report) -> {
            out.printf("partition %d: %s%n", partition, report.problem());
            out.printf(
                    "  %d runs can be read, with %d documents%n",
                    report.runs(), report.documents());
            for (Damage each : report.damage()) {
                out.printf(
                        "  lost: %s at %d: expected %s, found %s%n",
                        each.file(), each.offset(), each.expected(), each.actual());
            }
        });
        if (reports.isEmpty()) {
            out.println("every partition has its manifest");
        } else {
            out.println(
                    "Missing runs cannot be detected. If the newest version of a document was in a"
                            + " missing or damaged run, an older one is shown; a document that was"
                            + " removed there may be back. Documents in the journal are not lost.");
            out.println(
                    isAccepted
                            ? "The manifests were created; the server can start."
                            : "No run was changed.");
        }
        return !reports.isEmpty();
    }
}
