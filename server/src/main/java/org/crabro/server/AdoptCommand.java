package org.crabro.server;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.crabro.client.cli.ClusterCopy;
import org.crabro.client.cli.DocumentsTarget;
import org.crabro.client.cli.ExitStatus;
import org.crabro.client.feed.FeedStatistics;
import org.crabro.client.http.ServerAccess;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Copies the documents of a data directory into a cluster. */
@Command(
        name = "adopt",
        mixinStandardHelpOptions = true,
        description = {
            "Copies all documents of a server that is stopped into a cluster.",
            "Deploy the package to the cluster first, with its hosts. The data directory keeps its"
                    + " documents."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  crabro cluster adopt crabro-data --target http://127.0.0.1:8080"})
public final class AdoptCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "DIR", description = "The data directory of the stopped server.")
    private Path data = Path.of("");

    @Option(
            names = "--replace",
            description =
                    "Copy although the cluster has documents: those with the same ids are replaced."
                            + " Continues a copy that was interrupted.")
    private boolean isReplacing;

    @Mixin private DocumentsTarget target = new DocumentsTarget();

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        if (!Files.isDirectory(data.resolve(DataFiles.PACKAGES))) {
            throw new IOException(data + " is no data directory: it has no packages");
        }
        ServerAccess to = target.server();
        int status = ExitStatus.DONE;
        try (CrabroServer server = CrabroServer.start(ServerSettings.onAnyPorts(data))) {
            ServerAccess from = ServerAccess.of(server.documents());
            for (String cluster : server.contentClusters()) {
                var copy = new ClusterCopy(from, to, cluster);
                if (!isReplacing && !copy.isTargetEmpty()) {
                    throw new IOException(
                            "content cluster '%s' at %s has documents: use --replace to replace those with the same ids"
                                    .formatted(cluster, to.address()));
                }
                status = Math.max(status, report(cluster, copy, out));
            }
        } finally {
            out.flush();
        }
        return status;
    }

    private int report(String cluster, ClusterCopy copy, PrintWriter out)
            throws IOException, InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        FeedStatistics copied = copy.run(err);
        copied.problems().forEach(err::println);
        err.flush();
        out.printf(
                Locale.ROOT,
                "%,d documents of content cluster '%s' copied in %.1f s (%,.0f/s), %,d failed.%n",
                copied.ok(),
                cluster,
                copied.seconds(),
                copied.ok() / copied.seconds(),
                copied.errors());
        return copied.errors() == 0 ? ExitStatus.DONE : ExitStatus.FAILED;
    }
}
