package org.crabro.client.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.crabro.client.bench.FeedLoad;
import org.crabro.client.bench.LoadSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Feeds the operations of a file one by one, and prints latencies and rates. */
@Command(
        name = "feed",
        mixinStandardHelpOptions = true,
        description = {
            "Sends the operations of a file, each in a request of its own: the lines of 'crabro feed'.",
            "An answer is successful if the operation was carried out, or its condition did not hold."
                    + " The exit status is 1 if a request failed."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  crabro bench feed documents.jsonl -n 32 -r 1",
            "  crabro bench feed documents.jsonl --rate 1000 -s 30 --json"
        })
public final class BenchFeedCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "The operations, one on each line.")
    private Path file = Path.of("-");

    @Mixin private LoadOptions load = new LoadOptions();

    @Mixin private DocumentsTarget target = new DocumentsTarget();

    @Override
    public Integer call() throws IOException, InterruptedException {
        LoadSettings settings = load.settings();
        try (var source = new FeedLoad(target.server(), file, load.clients(), load.rounds())) {
            return load.run(settings, source);
        }
    }
}
