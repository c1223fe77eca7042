package org.crabro.perf;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.crabro.perf.check.PoisonCommand;
import org.crabro.perf.check.SoakCommand;
import org.crabro.perf.check.StalledCommand;
import org.crabro.perf.check.StressCommand;
import org.crabro.perf.check.SwapsBenchmark;
import org.crabro.perf.cluster.FailoverCommand;
import org.crabro.perf.cluster.FaultsCommand;
import org.crabro.perf.compare.KernelBenchmark;
import org.crabro.perf.compare.MailsBenchmark;
import org.crabro.perf.feed.BulkBenchmark;
import org.crabro.perf.feed.CopyBenchmark;
import org.crabro.perf.feed.DiskBenchmark;
import org.crabro.perf.feed.EmbeddingsBenchmark;
import org.crabro.perf.feed.FeedBenchmark;
import org.crabro.perf.feed.MergeBenchmark;
import org.crabro.perf.feed.PutsBenchmark;
import org.crabro.perf.feed.ReplayBenchmark;
import org.crabro.perf.harness.Against;
import org.crabro.perf.harness.Benchmark;
import org.crabro.perf.harness.Command;
import org.crabro.perf.harness.Figures;
import org.crabro.perf.harness.Machine;
import org.crabro.perf.harness.PerfOptions;
import org.crabro.perf.harness.RoundsOnRequest;
import org.crabro.perf.packages.PackageBenchmark;
import org.crabro.perf.scoreboard.Scoreboard;
import org.crabro.perf.search.BusyBenchmark;
import org.crabro.perf.search.ColdBenchmark;
import org.crabro.perf.search.ForestsBenchmark;
import org.crabro.perf.search.FreshBenchmark;
import org.crabro.perf.search.GroupingBenchmark;
import org.crabro.perf.search.GroupsBenchmark;
import org.crabro.perf.search.HybridsBenchmark;
import org.crabro.perf.search.IndexBenchmark;
import org.crabro.perf.search.LoadBenchmark;
import org.crabro.perf.search.MaxSimsBenchmark;
import org.crabro.perf.search.ModelsBenchmark;
import org.crabro.perf.search.NeighborsBenchmark;
import org.crabro.perf.search.PersonalBenchmark;
import org.crabro.perf.search.ScopesBenchmark;
import org.crabro.perf.search.TextBenchmark;
import org.crabro.perf.search.VisitBenchmark;
import org.crabro.perf.search.WireBenchmark;
import org.crabro.perf.serving.ModelsCommand;

/**
 * Runs the scoreboard, runs a benchmark by name, or lists all benchmarks.
 *
 * <p>Published claims are ratios of measurements of one round; absolute figures apply to the
 * machine that is described above them.
 */
public final class Perf {
    static final int ROUNDS = 5;

    /** The option that lists the benchmarks. */
    static final String LIST = "--list";

    private static final List<Benchmark> BENCHMARKS =
            List.of(
                    new KernelBenchmark(),
                    new ForestsBenchmark(),
                    new ModelsBenchmark(),
                    new HybridsBenchmark(),
                    new MaxSimsBenchmark(),
                    new FeedBenchmark(),
                    new BulkBenchmark(),
                    new PutsBenchmark(),
                    new EmbeddingsBenchmark(),
                    new PersonalBenchmark(),
                    new FreshBenchmark(),
                    new TextBenchmark(),
                    new MailsBenchmark(),
                    new ScopesBenchmark(),
                    new MergeBenchmark(),
                    new DiskBenchmark(),
                    new GroupsBenchmark(),
                    new GroupingBenchmark(),
                    new ColdBenchmark(),
                    new LoadBenchmark(),
                    new BusyBenchmark(),
                    new ReplayBenchmark(),
                    new PackageBenchmark(),
                    new SwapsBenchmark(),
                    new VisitBenchmark(),
                    new WireBenchmark(),
                    new CopyBenchmark(),
                    new IndexBenchmark(),
                    new NeighborsBenchmark());

    private static final List<Command> COMMANDS =
            List.of(
                    new StressCommand(),
                    new SoakCommand(),
                    new StalledCommand(),
                    new PoisonCommand(),
                    new FaultsCommand(),
                    new FailoverCommand(),
                    new ModelsCommand());

    private static final BufferedReader REQUESTS =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));

    private Perf() {}

    /**
     * Prints to standard output.
     *
     * @param arguments the name of a benchmark, or of a command and its options; none for the
     *     scoreboard
     */
    public static void main(String[] arguments) throws Exception {
        List<String> words = List.of(arguments);
        if (Scoreboard.isAsked(words)) {
            System.exit(Scoreboard.run(words, System.out));
        }
        Optional<Command> command =
                COMMANDS.stream()
                        .filter(each -> !words.isEmpty() && each.name().equals(words.getFirst()))
                        .findFirst();
        System.exit(
                command.isPresent()
                        ? command.get().run(words.subList(1, words.size()), System.out)
                        : run(BENCHMARKS, words, System.out));
    }

    /** Returns 0, or 2 if there is no such benchmark. */
    static int run(List<Benchmark> benchmarks, List<String> arguments, PrintStream out)
            throws Exception {
        if (arguments.equals(List.of(LIST))) {
            list(benchmarks, out);
            return 0;
        }
        PerfOptions options;
        try {
            options = PerfOptions.of(arguments);
        } catch (IllegalArgumentException e) {
            out.println(e.getMessage());
            return 2;
        }
        List<String> words = options.words();
        Optional<Benchmark> match =
                benchmarks.stream()
                        .filter(benchmark -> benchmark.name().equals(words.getFirst()))
                        .findFirst();
        if (words.size() > 1) {
            match = match.flatMap(all -> all.only(words.subList(1, words.size())));
        }
        if (match.isEmpty()) {
            out.println("There is no benchmark '" + String.join(" ", words) + "'.");
            list(benchmarks, out);
            return 2;
        }
        Path folder = Files.createTempDirectory("crabro-perf");
        try {
            if (options.isOnRequest()) {
                RoundsOnRequest.serve(match.get(), folder, REQUESTS, out);
                return 0;
            }
            Machine.describe(folder).forEach(out::println);
            if (options.other().isPresent()) {
                Against.compare(options, out);
            } else {
                measure(match.get(), folder, out);
            }
        } finally {
            delete(folder);
        }
        return 0;
    }

    static void measure(Benchmark benchmark, Path folder, PrintStream out) throws Exception {
        out.printf("%n%s: %s%n", benchmark.name(), benchmark.summary());
        var figures = new Figures();
        try (Benchmark.Prepared prepared = benchmark.prepare(folder)) {
            for (int round = 1; round <= ROUNDS; round++) {
                out.printf("round %d of %d%n", round, ROUNDS);
                prepared.measure(figures);
            }
        }
        out.println();
        figures.lines().forEach(out::println);
    }

    private static void list(List<Benchmark> benchmarks, PrintStream out) {
        out.println(
                "bin/perf [--quick] [--no-peers] [--only WORKLOAD] runs the scoreboard,"
                        + " bin/perf NAME [PART...] [--against COMMIT [--rounds N]], where NAME is one of");
        for (Benchmark benchmark : benchmarks) {
            out.printf("  %-10s %s%n", benchmark.name(), benchmark.summary());
        }
        out.println("or, with options,");
        for (Command command : COMMANDS) {
            out.printf("  %-10s %s%n", command.name(), command.summary());
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.toList().reversed()) {
                Files.delete(path);
            }
        }
    }
}
