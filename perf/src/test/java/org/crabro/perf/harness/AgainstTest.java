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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgainstTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);

    @TempDir private Path folder;

    private final List<String> order = new ArrayList<>();
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);

    @Test
    void startsNewProcessesForEachRoundAndMeasuresInTurns() throws IOException {
        Against.compare(
                build("this", _ -> List.of(new Figure("p50", "ms", 1))),
                build("other", _ -> List.of(new Figure("p50", "ms", 1))),
                2,
                out);

        assertThat(order)
                .containsExactly(
                        "start other",
                        "start this",
                        "other",
                        "this",
                        "this",
                        "other",
                        "other",
                        "this",
                        "close this",
                        "close other",
                        "start this",
                        "start other",
                        "this",
                        "other",
                        "other",
                        "this",
                        "this",
                        "other",
                        "close other",
                        "close this");
    }

    /** The machine becomes slower, and this build takes half of the other's time. */
    @Test
    void comparesFiguresOfTheSameRound() throws IOException {
        Against.compare(
                build("this", turn -> List.of(new Figure("p50", "ms", 1 << turn))),
                build("other", turn -> List.of(new Figure("p50", "ms", 2 << turn))),
                6,
                out);

        // This build's rounds take 3, 24, 192, 1,536, ... ms, and the median is (192 + 1,536) / 2.
        assertThat(text().lines().toList().getLast())
                .matches("p50 +864 +1,728 +0\\.500 \\(0\\.500 to 0\\.500\\) ms");
    }

    @Test
    void printsTheFiguresSoFarAfterEachRound() throws IOException {
        Against.compare(
                build("this", _ -> List.of(new Figure("p50", "ms", 1))),
                build("other", _ -> List.of(new Figure("p50", "ms", 1))),
                3,
                out);

        assertThat(
                        text().lines()
                                .filter(line -> line.startsWith("round") || line.startsWith("p50")))
                .extracting(line -> line.substring(0, 3))
                .containsExactly("rou", "p50", "rou", "p50", "rou", "p50");
    }

    @Test
    void leavesOutTheFirstTurn() throws IOException {
        Against.compare(
                build("this", turn -> List.of(new Figure("p50", "ms", turn % 3 == 0 ? 90 : 3))),
                build("other", turn -> List.of(new Figure("p50", "ms", turn % 3 == 0 ? 10 : 2))),
                6,
                out);

        assertThat(text().lines().toList().getLast())
                .matches("p50 +3\\.00 +2\\.00 +1\\.500 \\(1\\.500 to 1\\.500\\) ms");
    }

    @Test
    void keepsFiguresThatOnlyTheFirstTurnHas() throws IOException {
        Against.compare(
                build("this", AgainstTest::heapAtFirst),
                build("other", AgainstTest::heapAtFirst),
                6,
                out);

        assertThat(text().lines().toList())
                .anyMatch(line -> line.matches("heap +8\\.00 +8\\.00 +1\\.000 .* bytes"));
    }

    @Test
    void leavesOutFiguresThatOneBuildDoesNotHave() throws IOException {
        Against.compare(
                build("this", _ -> List.of(new Figure("new", "ms", 1))),
                build("other", _ -> List.of(new Figure("old", "ms", 1))),
                1,
                out);

        assertThat(text()).doesNotContain("new", "old");
    }

    /** The ranks are those of tables for the median's confidence interval. */
    @ParameterizedTest
    @CsvSource({"5, 0", "6, 1", "8, 1", "9, 2", "11, 2", "12, 3", "20, 6", "50, 18"})
    void computesTheIntervalFromTheRanks(int count, int rank) {
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

    private static List<Figure> heapAtFirst(int turn) {
        var p50 = new Figure("p50", "ms", 1);
        return turn % 3 == 0 ? List.of(p50, new Figure("heap", "bytes", 8)) : List.of(p50);
    }

    /**
     * @param measurement the figures by the number of the measurement in all processes of the build
     */
    private Against.Build build(String name, IntFunction<List<Figure>> measurement) {
        var turn = new AtomicInteger();
        return () -> {
            order.add("start " + name);
            return new Against.Side() {
                @Override
                public List<Figure> measure() {
                    order.add(name);
                    return measurement.apply(turn.getAndIncrement());
                }

                @Override
                public void close() {
                    order.add("close " + name);
                }
            };
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
