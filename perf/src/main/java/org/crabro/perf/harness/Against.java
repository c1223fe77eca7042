package org.crabro.perf.harness;

import static java.util.stream.Collectors.toSet;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Measures a benchmark in two builds and compares them. Each round starts a new process of each
 * build, because two processes of one build differ, for example in what the JVM has compiled. The
 * two processes of a round measure in turns, so that a slow minute of the machine hits both.
 */
public final class Against {
    /** As often a process measures in a round. The first time only warms up. */
    private static final int TURNS = 3;

    /** The figures of both builds in one round. */
    private record Round(List<Figure> first, List<Figure> second) {}

    /** The figures of a benchmark in all rounds, in the order of the rounds. */
    private record Pairs(String unit, List<Double> here, List<Double> there) {}

    /** A build of the benchmark. */
    interface Build {
        /** Starts a process and prepares its benchmark. */
        Side start() throws IOException;
    }

    /** A process that measures on request. */
    interface Side extends AutoCloseable {
        /** Measures once and returns the figures. */
        List<Figure> measure() throws IOException;

        @Override
        void close() throws IOException;
    }

    private Against() {}

    /** Measures in this build and in the other one that the options name. */
    public static void compare(PerfOptions options, PrintStream out) throws IOException {
        Path here = Path.of("").toAbsolutePath();
        Path there = options.other().orElseThrow();
        out.printf("%nthis: %s%nother: %s%n", here, there);
        compare(
                () -> new Child(here, options.words()),
                () -> new Child(there, options.words()),
                options.rounds(),
                out);
    }

    /**
     * Measures rounds of both builds. After each round, prints the medians and the ratio of each
     * figure in all rounds so far: a comparison can take an hour, and may be stopped before its
     * end.
     */
    static void compare(Build here, Build there, int rounds, PrintStream out) throws IOException {
        var figures = new LinkedHashMap<String, Pairs>();
        for (int round = 0; round < rounds; round++) {
            out.printf("round %d of %d%n", round + 1, rounds);
            if (round % 2 == 0) {
                Round measured = measure(there, here);
                add(figures, measured.second, measured.first);
            } else {
                Round measured = measure(here, there);
                add(figures, measured.first, measured.second);
            }
            out.println();
            out.printf("%-66s %11s %11s   %s%n", "", "this", "other", "this / other (95 %)");
            figures.forEach((name, pairs) -> out.println(line(name, pairs)));
        }
    }

    /** Starts both builds and measures them, in an order that changes with each turn. */
    private static Round measure(Build first, Build second) throws IOException {
        var firstTurns = new ArrayList<List<Figure>>();
        var secondTurns = new ArrayList<List<Figure>>();
        try (Side one = first.start();
                Side two = second.start()) {
            for (int turn = 0; turn < TURNS; turn++) {
                if (turn % 2 == 0) {
                    firstTurns.add(one.measure());
                    secondTurns.add(two.measure());
                } else {
                    secondTurns.add(two.measure());
                    firstTurns.add(one.measure());
                }
            }
        }
        return new Round(warm(firstTurns), warm(secondTurns));
    }

    /**
     * Returns the median of each figure in all turns but the first, which counts only for figures
     * that no other turn has.
     */
    private static List<Figure> warm(List<List<Figure>> turns) {
        var warm = new Figures();
        turns.stream()
                .skip(1)
                .flatMap(List::stream)
                .forEach(each -> warm.add(each.name(), each.unit(), each.value()));
        Set<String> names = warm.medians().stream().map(Figure::name).collect(toSet());
        turns.getFirst().stream()
                .filter(each -> !names.contains(each.name()))
                .forEach(each -> warm.add(each.name(), each.unit(), each.value()));
        return warm.medians();
    }

    /** Adds figures that both builds have. */
    private static void add(Map<String, Pairs> to, List<Figure> ours, List<Figure> theirs) {
        for (Figure our : ours) {
            for (Figure their : theirs) {
                if (our.name().equals(their.name())) {
                    Pairs pairs =
                            to.computeIfAbsent(
                                    our.name(),
                                    _ ->
                                            new Pairs(
                                                    our.unit(),
                                                    new ArrayList<>(),
                                                    new ArrayList<>()));
                    pairs.here.add(our.value());
                    pairs.there.add(their.value());
                }
            }
        }
    }

    private static String line(String name, Pairs pairs) {
        var ratios = new ArrayList<Double>();
        for (int i = 0; i < pairs.here.size(); i++) {
            if (pairs.there.get(i) != 0) {
                ratios.add(pairs.here.get(i) / pairs.there.get(i));
            }
        }
        String compared = "no ratio";
        if (!ratios.isEmpty()) {
            RatioInterval interval = RatioInterval.of(ratios);
            compared =
                    String.format(
                            Locale.ROOT,
                            "%.3f (%.3f to %.3f)",
                            interval.median(),
                            interval.low(),
                            interval.high());
        }
        return "%-66s %11s %11s   %s %s"
                .formatted(name, median(pairs.here), median(pairs.there), compared, pairs.unit)
                .stripTrailing();
    }

    private static String median(List<Double> values) {
        return Figures.number(Figures.median(values.stream().sorted().toList()));
    }

    /** A process of a build's {@code bin/perf}. */
    static final class Child implements Side {
        private static final int STOP_SECONDS = 60;

        private final Process process;
        private final BufferedReader answers;
        private final Writer requests;

        /**
         * Starts a process and waits until its benchmark is prepared.
         *
         * @param root of the build's sources, the process's working directory
         * @param words the name of the benchmark and its parts
         */
        Child(Path root, List<String> words) throws IOException {
            var command = new ArrayList<>(List.of(root.resolve("bin/perf").toString()));
            command.addAll(words);
            command.add(RoundsOnRequest.OPTION);
            process =
                    new ProcessBuilder(command)
                            .directory(root.toFile())
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start();
            answers = process.inputReader(StandardCharsets.UTF_8);
            requests = process.outputWriter(StandardCharsets.UTF_8);
            RoundsOnRequest.answer(answers);
        }

        @Override
        public List<Figure> measure() throws IOException {
            requests.write("round\n");
            requests.flush();
            return RoundsOnRequest.answer(answers);
        }

        /** Ends the requests, at which the process closes its benchmark. */
        @Override
        public void close() throws IOException {
            requests.close();
            try {
                if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException e) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
            }
            answers.close();
        }
    }
}
