package org.crabro.client.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.crabro.client.feed.BulkFeeder;
import org.crabro.client.feed.FeedStatistics;
import org.crabro.client.feed.LineStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Feeds the output of an export. */
@Command(
        name = "import",
        mixinStandardHelpOptions = true,
        description =
                "Feeds the output of export, or of a visit as lines. Lines of a visit without a"
                        + " document are skipped; an incomplete visit is rejected.",
        footerHeading = "%nExamples:%n",
        footer = {"  crabro group import anna.jsonl"})
final class GroupImportCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "FILE", description = "The file to feed; - for standard input.")
    private Path file = Path.of("-");

    @Mixin private DocumentsTarget target = new DocumentsTarget();

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        try (InputStream in = file.toString().equals("-") ? System.in : Files.newInputStream(file);
                var lines = new VisitedLines(in);
                var feeder = new BulkFeeder(target.server(), 1)) {
            FeedStatistics statistics = feeder.feed(new LineStream(lines));
            statistics.problems().forEach(err::println);
            err.printf("%d documents fed, %d failed%n", statistics.ok(), statistics.errors());
            if (!lines.isWhole()) {
                err.println("the file is an incomplete visit: documents are missing");
                return 1;
            }
            return statistics.errors() == 0 ? 0 : 1;
        } finally {
            err.flush();
        }
    }
}
