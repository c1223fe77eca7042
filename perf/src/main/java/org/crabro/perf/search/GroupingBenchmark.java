package org.crabro.perf.search;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.crabro.content.search.match.Layouts;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.column.TextReader;
import org.crabro.perf.harness.Benchmark;
import org.crabro.perf.harness.Figures;
import org.crabro.perf.harness.Scale;
import org.crabro.protocol.grouping.AggregateValue;
import org.crabro.protocol.grouping.Group;
import org.crabro.protocol.search.SearchHit;
import org.crabro.protocol.search.SearchReply;

/**
 * Events grouped by day and by repository, in process and on one thread, against loops over the
 * same columns that count the same. Times are processor time of that thread, since others may be at
 * work on the machine.
 */
public final class GroupingBenchmark implements Benchmark {
    private static final int EVENTS = 1_000_000;
    private static final long SEED = 2026;
    private static final int RUNS = 12;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    @Override
    public String name() {
        return "grouping";
    }

    @Override
    public String summary() {
        return "%,d events grouped by day and by repository, against hand-written loops"
                .formatted(EVENTS);
    }

    @Override
    public Prepared prepare(Path folder) {
        var events = new EventSearch(Scale.of(EVENTS), SEED);
        var measured = new Measured(events);
        for (int i = 0; i < 3; i++) {
            measured.measure(new Figures());
        }
        return measured;
    }

    private record Measured(EventSearch events) implements Prepared {
        @Override
        public void measure(Figures figures) {
            double dayLoop = nanos(() -> daysByHand().length);
            double days = nanos(() -> count(events.byDay()));
            double repositoryLoop = nanos(() -> repositoriesByHand().size());
            double repositories = nanos(() -> count(events.byRepository()));
            check();
            figures.add("by day: loop over the column", "ms", dayLoop / 1e6);
            figures.add("by day: grouping", "ms", days / 1e6);
            figures.add("by day: grouping over loop", "", days / dayLoop);
            figures.add("by repository: loop over numbers", "ms", repositoryLoop / 1e6);
            figures.add("by repository: grouping", "ms", repositories / 1e6);
            figures.add("by repository: grouping over loop", "", repositories / repositoryLoop);
        }

        /** Counts days in an array: the first day is the smallest of the column. */
        private long[] daysByHand() {
            long first = Long.MAX_VALUE;
            long last = 0;
            for (EncodedBlock block : events.blocks()) {
                MemorySegment values = numbers(block).values();
                for (int row = 0; row < block.rowCount(); row++) {
                    long value = values.get(Layouts.LONG, 8L * row);
                    first = Math.min(first, value);
                    last = Math.max(last, value);
                }
            }
            int firstDay = (int) (first / EventSearch.DAY);
            var counts = new long[(int) (last / EventSearch.DAY) - firstDay + 1];
            for (EncodedBlock block : events.blocks()) {
                MemorySegment values = numbers(block).values();
                for (int row = 0; row < block.rowCount(); row++) {
                    long value = values.get(Layouts.LONG, 8L * row);
                    counts[(int) (value / EventSearch.DAY) - firstDay]++;
                }
            }
            return counts;
        }

        private static Column.Numbers numbers(EncodedBlock block) {
            return (Column.Numbers) block.column(EventSearch.TIME).orElseThrow();
        }

        /** Counts the dictionary indexes of each block, and adds the counts by value. */
        private Map<String, Long> repositoriesByHand() {
            Map<String, Long> counts = new HashMap<>();
            var reader = new TextReader();
            for (EncodedBlock block : events.blocks()) {
                Column column = block.column(EventSearch.REPOSITORY).orElseThrow();
                if (column instanceof Column.CodedTexts coded) {
                    var ofBlock = new long[coded.valueCount()];
                    for (int row = 0; row < block.rowCount(); row++) {
                        ofBlock[coded.code(row)]++;
                    }
                    for (int code = 0; code < ofBlock.length; code++) {
                        reader.readValue(coded, code);
                        counts.merge(text(reader), ofBlock[code], Long::sum);
                    }
                } else {
                    // The last block may be too small for a dictionary.
                    for (int row = 0; row < block.rowCount(); row++) {
                        reader.read((Column.Texts) column, row);
                        counts.merge(text(reader), 1L, Long::sum);
                    }
                }
            }
            return counts;
        }

        private static String text(TextReader reader) {
            byte[] text =
                    reader.bytes()
                            .asSlice(reader.offset(), reader.length())
                            .toArray(ValueLayout.JAVA_BYTE);
            return new String(text, StandardCharsets.UTF_8);
        }

        private void check() {
            List<Long> days = counts(events.byDay());
            List<Long> byHand =
                    Arrays.stream(daysByHand()).filter(count -> count > 0).boxed().toList();
            List<Long> repositories = counts(events.byRepository());
            List<Long> largest =
                    repositoriesByHand().values().stream()
                            .sorted(Comparator.reverseOrder())
                            .limit(100)
                            .toList();
            if (!days.equals(byHand) || !repositories.equals(largest)) {
                throw new IllegalStateException("groups are not what loops count");
            }
        }

        private static List<Long> counts(SearchReply.Found result) {
            return result.groups().getFirst().lists().getFirst().groups().stream()
                    .map(Measured::count)
                    .toList();
        }

        private static long count(Group<SearchHit> group) {
            return group.aggregates().stream()
                    .filter(AggregateValue.Count.class::isInstance)
                    .mapToLong(value -> ((AggregateValue.Count) value).count())
                    .findFirst()
                    .orElseThrow();
        }

        private static long count(SearchReply.Found result) {
            return result.groups().getFirst().lists().getFirst().size();
        }

        /** Returns the least processor time of some runs: others cut into the longer ones. */
        private static double nanos(LongSupplier work) {
            long least = Long.MAX_VALUE;
            long sum = 0;
            for (int i = 0; i < RUNS; i++) {
                long start = THREADS.getCurrentThreadCpuTime();
                sum += work.getAsLong();
                least = Math.min(least, THREADS.getCurrentThreadCpuTime() - start);
            }
            if (sum <= 0) {
                throw new IllegalStateException("nothing was grouped");
            }
            return least;
        }

        @Override
        public void close() {
            events.close();
        }
    }
}
