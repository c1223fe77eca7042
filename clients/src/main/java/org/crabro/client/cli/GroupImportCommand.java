package org.crabro.client.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.crabro.client.feed.BulkFeeder;
import org.crabro.client.feed.FeedStatistics;
import org.crabro.client.feed.GroupLines;
import org.crabro.client.feed.LineStream;
import org.crabro.document.LocationKey;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Feeds the output of an export. */
@Command(
        name = "import",
        mixinStandardHelpOptions = true,
        description =
                "Feeds the output of export, or of a visit as lines. Lines of a visit without a"
                        + " document are skipped; an incomplete visit is rejected. The ids in the"
                        + " file decide where documents are written; --group rejects those of other"
                        + " groups.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  crabro group import anna.jsonl",
            "  crabro group import anna.jsonl --group anna"
        })
final class GroupImportCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "FILE", description = "The file to feed; - for standard input.")
    private Path file = Path.of("-");

    @Option(
            names = "--group",
            paramLabel = "GROUP",
            description =
                    "The import ends at the first line of a document that is not in this group.")
    private @Nullable String group;

    @Option(names = "--number", description = "GROUP is a number, as after n= in ids.")
    private boolean isNumber;

    @Mixin private DocumentsTarget target = new DocumentsTarget();

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        try (InputStream in = file.toString().equals("-") ? System.in : Files.newInputStream(file);
                var lines = new VisitedLines(in, expected());
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

    private Optional<GroupLines> expected() {
        return Optional.ofNullable(group)
                .map(name ->
                        isNumber
                                ? new LocationKey.Numbered(Long.parseUnsignedLong(name))
                                : new LocationKey.Group(name))
                .map(GroupLines::new);
    }
}
