package org.crabro.perf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.crabro.perf.feed.BulkBenchmark;
import org.crabro.perf.harness.Benchmark;
import org.crabro.perf.harness.Figures;
import org.crabro.ranking.kernel.MemoryRead;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("all-compilers")
class PerfTest {
    @TempDir private Path folder;

    @Test
    void listsBenchmarksByName() throws Exception {
        var printed = new ByteArrayOutputStream();

        int status = Perf.run(List.of(new CountingBenchmark()), List.of(Perf.LIST), print(printed));

        assertThat(status).isZero();
        assertThat(text(printed)).contains("counting   counts its rounds");
    }

    @Test
    void namesWhatThereIsNot() throws Exception {
        var printed = new ByteArrayOutputStream();

        int status = Perf.run(List.of(new CountingBenchmark()), List.of("none"), print(printed));

        assertThat(status).isEqualTo(2);
        assertThat(text(printed)).startsWith("There is no benchmark 'none'.").contains("counting");
    }

    @Test
    void namesPartsThatABenchmarkHasNot() throws Exception {
        var printed = new ByteArrayOutputStream();

        int status =
                Perf.run(
                        List.of(new BulkBenchmark()),
                        List.of("bulk", "text", "odd"),
                        print(printed));

        assertThat(status).isEqualTo(2);
        assertThat(text(printed))
                .startsWith("There is no benchmark 'bulk text odd'.")
                .contains("parts text, hex, numbers, single");
    }

    @Test
    void printsMedianAndSpreadOfFiveRounds() throws Exception {
        var printed = new ByteArrayOutputStream();
        var benchmark = new CountingBenchmark();

        Perf.measure(benchmark, folder, print(printed));

        assertThat(benchmark.closed).isEqualTo(1);
        assertThat(text(printed).lines().toList().getLast())
                .matches("rounds squared +9\\.00 +1\\.00 to 25\\.0 things");
    }

    @Test
    void writesNumbersWithTheDigitsThatCount() {
        assertThat(Figures.number(0.7251)).isEqualTo("0.73");
        assertThat(Figures.number(42.71)).isEqualTo("42.7");
        assertThat(Figures.number(12_345.6)).isEqualTo("12,346");
        assertThat(Figures.median(List.of(1.0, 2.0, 4.0, 8.0))).isEqualTo(3);
    }

    @Test
    void readsAllOfTheMemory() {
        try (var arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(1 << 12, 64);
            long expected = 0;
            for (int i = 0; i < 1 << 9; i++) {
                memory.setAtIndex(ValueLayout.JAVA_LONG, i, (long) i * i * 7_919);
                expected ^= (long) i * i * 7_919;
            }

            assertThat(MemoryRead.all(memory)).isEqualTo(expected);
        }
    }

    private static PrintStream print(ByteArrayOutputStream into) {
        return new PrintStream(into, true, StandardCharsets.UTF_8);
    }

    private static String text(ByteArrayOutputStream printed) {
        return printed.toString(StandardCharsets.UTF_8);
    }

    /** Reports the square of the round's number. */
    private static final class CountingBenchmark implements Benchmark {
        private int round;
        private int closed;

        @Override
        public String name() {
            return "counting";
        }

        @Override
        public String summary() {
            return "counts its rounds";
        }

        @Override
        public Prepared prepare(Path folder) {
            return new Prepared() {
                @Override
                public void measure(Figures figures) {
                    round++;
                    figures.add("rounds squared", "things", round * round);
                }

                @Override
                public void close() {
                    closed++;
                }
            };
        }
    }
}
