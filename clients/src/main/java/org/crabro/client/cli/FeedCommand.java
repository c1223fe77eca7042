package org.crabro.client.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.crabro.client.feed.BulkFeeder;
import org.crabro.client.feed.FeedClient;
import org.crabro.client.feed.FeedSettings;
import org.crabro.client.feed.FeedStatistics;
import org.crabro.client.http.BusyServers;
import org.crabro.client.spool.SpoolSettings;
import org.crabro.client.terminal.OutputFormat;
import org.crabro.client.terminal.ProgressLine;
import org.crabro.client.terminal.RecordOutput;
import org.crabro.client.terminal.TerminalOutput;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** Feeds a file of operations to a server, and prints the result. */
@Command(
        name = "feed",
        mixinStandardHelpOptions = true,
        description = {
            "Feeds operations, as lines or as a JSON array, compressed with gzip or zstd or not.",
            "Prints a line on a terminal, and statistics as JSON elsewhere. The exit status is 1 if"
                    + " an operation failed for another reason than its condition."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  crabro feed documents.jsonl",
            "  crabro feed documents.jsonl.gz --json",
            "  zcat *.gz | crabro feed - --target http://search.example.com:8080",
            "  crabro feed documents.jsonl --spool spool    go on after a crash of either side",
            "",
            "A line is {\"put\": ID, \"fields\": {…}}, {\"update\": ID, \"fields\": {…}} or"
                    + " {\"remove\": ID}."
        })
public final class FeedCommand implements Callable<Integer> {
    private static final JsonMapper JSON = new JsonMapper();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "FILE", description = "What to feed; - for standard input.")
    private Path file = Path.of("-");

    @Mixin private DocumentsTarget target = new DocumentsTarget();

    @Option(
            names = "--connections",
            paramLabel = "N",
            description =
                    "The number of concurrent bulk requests. Without it, the number follows the"
                            + " throughput.")
    private @Nullable Integer connections;

    @Option(
            names = "--single",
            description =
                    "Send each operation in a request of its own, over HTTP/2 if the server has it.")
    private boolean isSingle;

    @Option(
            names = "--window",
            paramLabel = "N",
            description =
                    "The number of operations in flight with --single. Without it, the number"
                            + " follows the throughput.")
    private @Nullable Integer window;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "10m",
            converter = TimeArgument.class,
            description =
                    "How long a full server is waited for, which answers 429 or 503: seconds, or a"
                            + " number with s, m or h (${DEFAULT-VALUE}).")
    private Duration timeout = Duration.ofMinutes(10);

    @Option(
            names = "--spool",
            paramLabel = "DIR",
            description =
                    "Keep operations in this directory until the server acknowledges them, and send"
                            + " first what an earlier start left there. Operations are sent as with"
                            + " --single.")
    private @Nullable Path spool;

    @Option(
            names = "--spool-sync",
            description =
                    "Force each operation to the disk before it is sent, so that it also survives a"
                            + " power cut.")
    private boolean isSpoolSynced;

    @Mixin private OutputOptions output = new OutputOptions();

    /** Whether operations of an earlier start failed, or the spool has some. */
    private boolean hasLeft;

    @Override
    public Integer call() throws IOException, InterruptedException {
        OutputFormat format = output.orElseOfTerminal();
        require("--connections", connections);
        require("--window", window);
        if (isSpoolSynced && spool == null) {
            throw new picocli.CommandLine.ParameterException(
                    spec.commandLine(), "--spool-sync needs --spool");
        }
        try {
            return tell(feed(), format);
        } finally {
            spec.commandLine().getErr().flush();
            spec.commandLine().getOut().flush();
        }
    }

    private FeedStatistics feed() throws IOException, InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        try (FeedInput input = FeedInput.open(file);
                var line =
                        new ProgressLine(
                                err, TerminalOutput.isErr(), "operations", input::fraction);
                BulkFeeder feeder = feeder()) {
            var statistics = new FeedStatistics();
            if (isSingle || spool != null) {
                single(input.content(), statistics, line);
            } else if (feeder.isOffered()) {
                feeder.feed(
                        input.content(), statistics, done -> line.show(done, statistics.errors()));
            } else {
                err.println("The server has no bulk requests: operations are sent one by one.");
                single(input.content(), statistics, line);
            }
            return statistics;
        }
    }

    private void require(String option, @Nullable Integer given) {
        if (given != null && given < 1) {
            throw new picocli.CommandLine.ParameterException(
                    spec.commandLine(), option + " is below 1");
        }
    }

    private BulkFeeder feeder() throws IOException {
        return connections == null
                ? BulkFeeder.adaptive(target.server(), busy())
                : new BulkFeeder(target.server(), connections, busy());
    }

    /** Returns a treatment of full servers that prints the first wait alone. */
    private BusyServers busy() {
        PrintWriter err = spec.commandLine().getErr();
        var isPrinted = new AtomicBoolean();
        return BusyServers.DEFAULT
                .withTimeout(timeout)
                .telling(notice -> {
                    if (!isPrinted.getAndSet(true)) {
                        err.println(notice);
                        err.flush();
                    }
                });
    }

    private void single(InputStream operations, FeedStatistics statistics, ProgressLine line)
            throws IOException, InterruptedException {
        FeedSettings all = FeedSettings.DEFAULT.withBusy(busy());
        FeedSettings single = window == null ? all : all.withWindow(window);
        FeedSettings settings = spool == null ? single : single.patient();
        try (var client = FeedClient.connect(target.server(), settings)) {
            if (spool != null) {
                client.spool(spool, SpoolSettings.DEFAULT.synced(isSpoolSynced));
                client.spoolNotices().forEach(spec.commandLine().getErr()::println);
            }
            client.feed(operations, statistics, done -> line.show(done, statistics.errors()));
            client.awaitAll();
            reportSpool(client);
        }
    }

    /** Prints what became of operations that an earlier start left, and what this one leaves. */
    private void reportSpool(FeedClient client) {
        PrintWriter err = spec.commandLine().getErr();
        FeedStatistics earlier = client.statistics();
        if (earlier.operations() > 0) {
            err.printf(
                    Locale.ROOT,
                    "%,d operations of an earlier start were sent first, %,d failed.%n",
                    earlier.operations(),
                    earlier.errors());
            earlier.problems().forEach(err::println);
        }
        long left = client.spooled();
        if (left > 0) {
            err.printf(
                    Locale.ROOT,
                    "%,d operations stay in %s; the next start with --spool sends them.%n",
                    left,
                    spool);
        }
        hasLeft = left > 0 || earlier.errors() > 0;
    }

    private int tell(FeedStatistics statistics, OutputFormat format) {
        PrintWriter out = spec.commandLine().getOut();
        statistics.problems().forEach(spec.commandLine().getErr()::println);
        switch (format) {
            case JSON -> out.println(statistics.json());
            case JSONL, CSV ->
                    RecordOutput.print(List.of(JSON.readTree(statistics.json())), format, spec);
            case TABLE -> sentence(statistics, out);
        }
        return statistics.errors() == 0 && !hasLeft ? ExitStatus.DONE : ExitStatus.FAILED;
    }

    private static void sentence(FeedStatistics statistics, PrintWriter out) {
        out.printf(
                Locale.ROOT,
                "%,d operations in %.1f s (%,.0f/s): %,d done, %,d failed",
                statistics.operations(),
                statistics.seconds(),
                statistics.operations() / statistics.seconds(),
                statistics.ok(),
                statistics.errors());
        if (statistics.conditionsNotMet() > 0) {
            out.printf(
                    Locale.ROOT,
                    ", %,d with a condition that did not hold",
                    statistics.conditionsNotMet());
        }
        out.println();
    }
}
