package org.crabro.client.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.crabro.client.feed.BulkFeeder;
import org.crabro.client.feed.FeedClient;
import org.crabro.client.feed.FeedStatistics;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Feeds a file of operations to a server, and prints the result. */
@Command(
        name = "feed",
        mixinStandardHelpOptions = true,
        description =
                "Feeds operations, as lines or as a JSON array. The exit status is 1 if one failed"
                        + " for another reason than its condition.")
public final class FeedCommand implements Callable<Integer> {
    private static final int SINGLE_IN_FLIGHT = 64;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "FILE", description = "What to feed; - for standard input.")
    private Path file = Path.of("-");

    @Mixin private DocumentsTarget target = new DocumentsTarget();

    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "2",
            description = "The maximum number of concurrent requests (${DEFAULT-VALUE}).")
    private int connections = 2;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (connections < 1) {
            throw new picocli.CommandLine.ParameterException(
                    spec.commandLine(), "--connections is below 1");
        }
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        try (InputStream operations = open();
                var feeder = new BulkFeeder(target.server(), connections)) {
            if (!feeder.isOffered()) {
                return single(operations, out, err);
            }
            FeedStatistics statistics = feeder.feed(operations);
            return tell(statistics, out, err);
        } finally {
            err.flush();
            out.flush();
        }
    }

    private Integer single(InputStream operations, PrintWriter out, PrintWriter err)
            throws IOException, InterruptedException {
        err.println("The server has no bulk requests: operations are sent one by one.");
        try (var client = FeedClient.shakingHands(target.server(), SINGLE_IN_FLIGHT)) {
            return tell(client.feed(operations), out, err);
        }
    }

    private static Integer tell(FeedStatistics statistics, PrintWriter out, PrintWriter err) {
        statistics.problems().forEach(err::println);
        out.println(statistics.json());
        return statistics.errors() == 0 ? 0 : 1;
    }

    private InputStream open() throws IOException {
        return file.toString().equals("-") ? System.in : Files.newInputStream(file);
    }
}
