package org.crabro.client.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.crabro.client.bench.LoadPlot;
import org.crabro.client.bench.LoadProgress;
import org.crabro.client.bench.LoadReport;
import org.crabro.client.bench.LoadResult;
import org.crabro.client.bench.LoadRun;
import org.crabro.client.bench.LoadSettings;
import org.crabro.client.bench.LoadSource;
import org.crabro.client.terminal.OutputFormat;
import org.crabro.client.terminal.ProgressLine;
import org.crabro.client.terminal.RecordOutput;
import org.crabro.client.terminal.TerminalOutput;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ObjectNode;

/** How much load a command makes, and how it shows the result. */
final class LoadOptions {
    private static final long FOREVER = -1;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final long PROGRESS_MILLIS = 200;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-n", "--clients"},
            paramLabel = "N",
            defaultValue = "10",
            description =
                    "The number of clients, each with one request at a time (${DEFAULT-VALUE}). In an"
                            + " open loop, the most requests in flight.")
    private int clients = 10;

    @Option(
            names = {"-s", "--seconds"},
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "How long requests are sent (${DEFAULT-VALUE}).")
    private double seconds = 60;

    @Option(
            names = {"-c", "--cycle"},
            paramLabel = "MS",
            defaultValue = "0",
            description =
                    "Each client begins a request at most once in this time"
                            + " (${DEFAULT-VALUE}: as fast as possible).")
    private int cycleMillis;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description =
                    "Send N requests in a second in an open loop. The latency of a request begins at"
                            + " its intended start, so that waiting for a slow server counts.")
    private @Nullable Double rate;

    @Option(
            names = {"-r", "--rounds"},
            paramLabel = "N",
            defaultValue = "-1",
            description = "How often the requests are sent (${DEFAULT-VALUE}: no limit).")
    private long rounds = FOREVER;

    @Option(
            names = {"-i", "--ignore"},
            paramLabel = "N",
            defaultValue = "0",
            description = "Do not count the first N requests of each client.")
    private int ignored;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            defaultValue = "0",
            description = "Do not count the requests of this time, before those of -s.")
    private double warmUp;

    @Option(
            names = {"-p", "--progress"},
            paramLabel = "SECONDS",
            description = "Print the counts so far on standard error, once in this time.")
    private @Nullable Integer progressSeconds;

    @Mixin private OutputOptions output = new OutputOptions();

    @Option(
            names = "--svg",
            paramLabel = "FILE",
            description = "Write a plot of latencies and rates.")
    private @Nullable Path plot;

    int clients() {
        return clients;
    }

    /** Returns how often the requests are sent; empty for no limit. */
    OptionalLong rounds() {
        if (rounds == 0 || rounds < FOREVER) {
            throw new ParameterException(spec.commandLine(), "-r is neither above 0 nor -1");
        }
        return rounds == FOREVER ? OptionalLong.empty() : OptionalLong.of(rounds);
    }

    /**
     * Returns the settings.
     *
     * @throws ParameterException if a number is out of its range
     */
    LoadSettings settings() {
        output.named();
        if (progressSeconds != null && progressSeconds < 1) {
            throw new ParameterException(spec.commandLine(), "-p is below 1");
        }
        if (rate != null && cycleMillis != 0) {
            throw new ParameterException(
                    spec.commandLine(), "--rate and -c exclude each other: -c is for closed loops");
        }
        try {
            return new LoadSettings(
                    clients,
                    rate == null ? OptionalDouble.empty() : OptionalDouble.of(rate),
                    Duration.ofMillis(cycleMillis),
                    duration(warmUp),
                    ignored,
                    duration(seconds));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private static Duration duration(double seconds) {
        return Duration.ofNanos((long) (seconds * NANOS_PER_SECOND));
    }

    /**
     * Runs the load and prints its result.
     *
     * @return the exit status: 1 if a request failed, or there was none
     * @throws IOException if the plot cannot be written
     */
    int run(LoadSettings settings, LoadSource source) throws IOException, InterruptedException {
        OutputFormat format = output.orElseOfTerminal();
        var run = new LoadRun(settings, source);
        LoadResult result = observed(run, settings);
        PrintWriter out = spec.commandLine().getOut();
        switch (format) {
            case JSON, JSONL -> out.println(LoadReport.json(result));
            case CSV -> {
                // The intervals are a table of their own, and in the JSON.
                ObjectNode row = LoadReport.json(result);
                row.remove("intervals");
                RecordOutput.print(List.of(row), format, spec);
            }
            case TABLE -> LoadReport.lines(result).forEach(out::println);
        }
        out.flush();
        if (plot != null) {
            Files.writeString(plot, LoadPlot.svg(result));
        }
        return result.isSuccess() ? ExitStatus.DONE : ExitStatus.FAILED;
    }

    /** Runs, with lines of counts if they are wanted, else with one of progress on a terminal. */
    private LoadResult observed(LoadRun run, LoadSettings settings) throws InterruptedException {
        if (progressSeconds != null) {
            return reported(run, progressSeconds);
        }
        if (!TerminalOutput.isErr()) {
            return run.run();
        }
        double all = settings.warmUp().plus(settings.time()).toNanos();
        long begin = System.nanoTime();
        try (var line =
                        new ProgressLine(
                                spec.commandLine().getErr(),
                                true,
                                "requests",
                                () -> (System.nanoTime() - begin) / all);
                ScheduledExecutorService timer =
                        Executors.newSingleThreadScheduledExecutor(
                                Thread.ofPlatform().name("load-clock").factory())) {
            var _ =
                    timer.scheduleAtFixedRate(
                            () -> {
                                LoadProgress progress = run.progress();
                                line.show(progress.answers(), progress.failures());
                            },
                            PROGRESS_MILLIS,
                            PROGRESS_MILLIS,
                            TimeUnit.MILLISECONDS);
            try {
                return run.run();
            } finally {
                timer.shutdownNow();
            }
        }
    }

    private LoadResult reported(LoadRun run, int seconds) throws InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        var before = new AtomicReference<>(run.progress());
        var elapsed = new AtomicLong();
        try (ScheduledExecutorService timer =
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().name("load-clock").factory())) {
            var _ =
                    timer.scheduleAtFixedRate(
                            () -> {
                                LoadProgress now = run.progress();
                                err.println(
                                        LoadReport.progress(
                                                elapsed.addAndGet(seconds),
                                                before.getAndSet(now),
                                                now,
                                                seconds));
                                err.flush();
                            },
                            seconds,
                            seconds,
                            TimeUnit.SECONDS);
            try {
                return run.run();
            } finally {
                timer.shutdownNow();
            }
        }
    }
}
