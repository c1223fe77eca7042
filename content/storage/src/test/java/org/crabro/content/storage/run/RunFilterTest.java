package org.crabro.content.storage.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.file.RunBytes;
import org.crabro.content.storage.layout.LongSequence;
import org.crabro.content.storage.os.Residency;
import org.crabro.document.DocumentId;
import org.crabro.document.LocationKey;
import org.junit.jupiter.api.Test;

class RunFilterTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);

    @Test
    void deniesNothingThatIsThereAndMostOfWhatIsNot() {
        for (int count : new int[] {0, 1, 100, 25_600, 100_000}) {
            var random = new Random(SEED);
            var hashes = new LongSequence();
            for (int i = 0; i < count; i++) {
                hashes.add(RunFilter.hash(random.nextLong(), random.nextLong()));
            }
            RunFilter filter = filter(hashes);

            for (int i = 0; i < count; i++) {
                assertThat(filter.mayHave(hashes.get(i), new ReadContext())).isTrue();
            }
            int passed = 0;
            for (int i = 0; i < 100_000; i++) {
                long hash = RunFilter.hash(random.nextLong(), random.nextLong());
                passed += filter.mayHave(hash, new ReadContext()) ? 1 : 0;
            }
            assertThat(passed).as("%d documents, seed %d", count, SEED).isLessThan(1_800);
        }
    }

    /** For any number of hashes, with small and large filters. */
    @Test
    void saysTheSameOfManyAtOnce() {
        for (int count : new int[] {1, 300, 25_600}) {
            var hashes = new LongSequence();
            for (int i = 0; i < count; i++) {
                hashes.add(hash(i));
            }
            RunFilter filter = filter(hashes);
            for (int asked : new int[] {0, 1, 7, 1_000}) {
                long[] several = LongStream.range(0, asked).map(i -> hash((int) i * 5)).toArray();
                int[] expected =
                        IntStream.range(0, asked)
                                .filter(i -> filter.mayHave(several[i], new ReadContext()))
                                .toArray();
                var matches = new int[asked];

                int likely = filter.mayHave(several, asked, matches, new ReadContext());

                assertThat(Arrays.copyOf(matches, likely))
                        .as("%d of %d", asked, count)
                        .isEqualTo(expected);
            }
        }
    }

    /** All documents of a group have the same place. */
    @Test
    void distinguishesDocumentsOfAGroup() {
        var hashes = new LongSequence();
        for (int i = 0; i < 20_000; i++) {
            hashes.add(hash(i));
        }
        RunFilter filter = filter(hashes);

        int passed = 0;
        for (int i = 20_000; i < 60_000; i++) {
            passed += filter.mayHave(hash(i), new ReadContext()) ? 1 : 0;
        }

        assertThat(passed).isLessThan(720);
        assertThat(hashes.count() * 10 / 8)
                .isCloseTo(
                        RunFilter.of(hashes).position(), org.assertj.core.data.Offset.offset(64));
    }

    private static long hash(int document) {
        RowKey key =
                RowKey.of(new DocumentId("a", "note", new LocationKey.Group("g"), "d" + document));
        return RunFilter.hash(key.place(), key.document());
    }

    private static RunFilter filter(LongSequence hashes) {
        MemorySegment bytes = MemorySegment.ofBuffer(RunFilter.of(hashes).written());
        return new RunFilter(new RunBytes("a run", bytes, Residency.ALWAYS), bytes);
    }
}
