package org.crabro.perf.harness;

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
import java.util.concurrent.TimeUnit;

/**
 * Measures a benchmark in two builds, in processes of their own, and compares them. The builds take
 * turns, so that a slow minute of the machine hits both: each round measures one after the other,
 * and the next round measures them in the opposite order.
 */
public final class Against {
    /** The figures of a benchmark in all rounds, in the order of the rounds. */
    private record Pairs(String unit, List<Double> here, List<Double> there) {}

    /** A build that measures a round on request. */
    interface Side extends AutoCloseable {
        /** Measures a round and returns its figures. */
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
        try (Side ours = new Child(here, options.words());
                Side theirs = new Child(there, options.words())) {
            compare(ours, theirs, options.rounds(), out);
        }
    }

    /** Measures rounds of both builds and prints each figure's medians and ratio. */
    static void compare(Side here, Side there, int rounds, PrintStream out) throws IOException {
        var figures = new LinkedHashMap<String, Pairs>();
        for (int round = 0; round < rounds; round++) {
            out.printf("round %d of %d%n", round + 1, rounds);
            boolean isOtherFirst = round % 2 == 0;
            List<Figure> first = (isOtherFirst ? there : here).measure();
            List<Figure> second = (isOtherFirst ? here : there).measure();
            add(figures, isOtherFirst ? second : first, isOtherFirst ? first : second);
        }
        out.println();
        out.printf("%-66s %11s %11s   %s%n", "", "this", "other", "this / other (95 %)");
        figures.forEach((name, pairs) -> out.println(line(name, pairs)));
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

    /** A build in a process of its own, which measures on request. */
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
