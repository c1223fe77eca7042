package org.crabro.perf.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgainstTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);

    @TempDir private Path folder;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);

    @Test
    void comparesFiguresOfTheSameRound() throws IOException {
        List<String> order = new ArrayList<>();

        // The machine becomes slower, and this build takes half of the other's time.
        Against.compare(
                side("this", order, round -> new Figure("p50", "ms", 1 << round)),
                side("other", order, round -> new Figure("p50", "ms", 2 << round)),
                6,
                out);

        assertThat(text().lines().toList().getLast())
                .matches("p50 +6\\.00 +12\\.0 +0\\.500 \\(0\\.500 to 0\\.500\\) ms");
        assertThat(order).startsWith("other", "this", "this", "other", "other", "this").hasSize(12);
    }

    @Test
    void leavesOutFiguresThatOneBuildDoesNotHave() throws IOException {
        List<String> order = new ArrayList<>();

        Against.compare(
                side("this", order, _ -> new Figure("new", "ms", 1)),
                side("other", order, _ -> new Figure("old", "ms", 1)),
                1,
                out);

        assertThat(text()).doesNotContain("new", "old");
    }

    /** The ranks are those of tables for the median's confidence interval. */
    @ParameterizedTest
    @CsvSource({"5, 0", "6, 1", "8, 1", "9, 2", "11, 2", "12, 3", "20, 6", "50, 18"})
    void takesTheIntervalFromTheRanks(int count, int rank) {
        List<Double> ratios =
                new ArrayList<>(IntStream.rangeClosed(1, count).mapToObj(i -> (double) i).toList());
        Collections.shuffle(ratios, new Random(SEED));

        RatioInterval interval = RatioInterval.of(ratios);

        assertThat(interval.median()).isEqualTo((count + 1) / 2.0);
        assertThat(interval.low()).isEqualTo(rank);
        assertThat(interval.high())
                .isEqualTo(rank == 0 ? Double.POSITIVE_INFINITY : count + 1 - rank);
    }

    @Test
    void measuresARoundForEachLine() throws Exception {
        var benchmark = new CountingBenchmark();

        RoundsOnRequest.serve(benchmark, folder, reader("round\nround\n"), out);

        BufferedReader answers = reader("a message\n" + text());
        assertThat(RoundsOnRequest.answer(answers)).isEmpty();
        assertThat(RoundsOnRequest.answer(answers)).containsExactly(new Figure("rounds", "", 1));
        assertThat(RoundsOnRequest.answer(answers)).containsExactly(new Figure("rounds", "", 2));
        assertThat(benchmark.isClosed).isTrue();
    }

    @Test
    void repeatsWhatAProcessThatEndsSaid() {
        assertThatIOException()
                .isThrownBy(() -> RoundsOnRequest.answer(reader("There is no benchmark 'x'.\n")))
                .withMessageContaining("There is no benchmark 'x'.");
    }

    @Test
    void readsOptions() {
        PerfOptions options =
                PerfOptions.of(List.of("bulk", "--rounds", "3", "--against", "there", "text"));

        assertThat(options.words()).containsExactly("bulk", "text");
        assertThat(options.rounds()).isEqualTo(3);
        assertThat(options.other()).contains(Path.of("there"));
        assertThat(PerfOptions.of(List.of("bulk")).rounds()).isEqualTo(11);
    }

    @ParameterizedTest
    @CsvSource({
        "--against, --against needs a value",
        "--rounds 0, '--rounds needs a number above 0, not 0'",
        "--rounds x, '--rounds needs a number, not ''x'''",
        "--odd, unknown option --odd",
        "--rounds 3, the name of a benchmark is missing"
    })
    void refusesOptions(String arguments, String message) {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> PerfOptions.of(List.of(arguments.split(" "))))
                .withMessage(message);
    }

    private interface Measurement {
        Figure of(int round);
    }

    private static Against.Side side(String name, List<String> order, Measurement measurement) {
        return new Against.Side() {
            private int round;

            @Override
            public List<Figure> measure() {
                order.add(name);
                return List.of(measurement.of(round++));
            }

            @Override
            public void close() {}
        };
    }

    private static BufferedReader reader(String text) {
        return new BufferedReader(new StringReader(text));
    }

    private String text() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    private static final class CountingBenchmark implements Benchmark {
        private boolean isClosed;

        @Override
        public String name() {
            return "counting";
        }

        @Override
        public String summary() {
            return "counts its rounds";
        }

        @Override
        public Prepared prepare(Path unused) {
            return new Prepared() {
                private int round;

                @Override
                public void measure(Figures figures) {
                    figures.add("rounds", "", ++round);
                }

                @Override
                public void close() {
                    isClosed = true;
                }
            };
        }
    }
}
