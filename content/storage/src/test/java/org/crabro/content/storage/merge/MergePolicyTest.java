package org.crabro.content.storage.merge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.crabro.content.storage.manifest.OpenMerge;
import org.crabro.content.storage.manifest.RunEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MergePolicyTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);

    private final MergePolicy policy = new MergePolicy(CompactionSettings.DEFAULT);

    /** Sizes of tiers, from old to young, and the first and the last of the merged tiers. */
    @ParameterizedTest
    @CsvSource({
        "'', -1, -1",
        "'5', -1, -1",
        "'5 5 5', -1, -1",
        "'5 5 5 5', 0, 3",
        "'20 5 5 5 5', 1, 4",
        "'20 20 20 20 5 5 5 5', 4, 7",
        "'20 5 5 5', -1, -1",
        "'20 20 20 5 5 5', 0, 3",
        "'20 20 5 5 5', -1, -1",
        "'64 32 16 8 4 2 1', -1, -1",
        "'9 1 9 1 9 1', 0, 4",
        "'1 1 1 1 20', 0, 3",
        "'0 0 0 0', 0, 3",
    })
    void mergesNeighboursOfAboutOneSize(String sizes, int first, int last) {
        Optional<OpenMerge> merge = policy.next(tiers(sizes), List.of());

        assertThat(merge.map(openMerge -> (int) openMerge.oldest()).orElse(-1)).isEqualTo(first);
        assertThat(merge.map(openMerge -> (int) openMerge.youngest()).orElse(-1)).isEqualTo(last);
    }

    @Test
    void goesOnWithAMergeUnlessAnotherIsCheaper() {
        var open = List.of(new OpenMerge(0, 1, 77));

        assertThat(policy.next(tiers("50 50 20 20 20"), open)).contains(open.getFirst());
        assertThat(policy.next(tiers("50 50 20 20 20 20"), open))
                .contains(new OpenMerge(2, 5, RunEntry.FIRST));
        assertThat(policy.next(tiers("50 3 20 20 20 20"), open)).contains(open.getFirst());
    }

    @Test
    void leavesTiersThatAreSetAsideAndMergesOnEitherSide() {
        List<MergePolicy.Tier> tiers = tiers("5 5 5 5 5 4 4 4 4");
        tiers.set(1, new MergePolicy.Tier(1, 5, true));

        assertThat(policy.next(tiers, List.of())).contains(new OpenMerge(5, 8, RunEntry.FIRST));
        assertThat(policy.next(tiers, List.of(new OpenMerge(0, 2, 77))))
                .contains(new OpenMerge(5, 8, RunEntry.FIRST));
        tiers.set(6, new MergePolicy.Tier(6, 4, true));
        assertThat(policy.next(tiers, List.of(new OpenMerge(0, 2, 77)))).isEmpty();
    }

    @Test
    void mergesUnevenTiersWhereThereAreMany() {
        long[] halves = LongStream.range(0, 31).map(i -> 1L << (40 - i)).toArray();

        assertThat(policy.next(tiers(halves), List.of())).isPresent();
    }

    /** Flushes of about one size, each merged at once. */
    @Test
    void writesEachRowFewTimesAndKeepsFewTiers() {
        var random = new Random(SEED);
        List<MergePolicy.Tier> tiers = new ArrayList<>();
        long added = 0;
        long written = 0;
        int most = 0;
        for (int flush = 0; flush < 4_000; flush++) {
            long bytes = random.nextLong(16 << 20, 48 << 20);
            tiers.add(new MergePolicy.Tier(flush, bytes, false));
            added += bytes;
            most = Math.max(most, tiers.size());
            for (var next = policy.next(tiers, List.of());
                    next.isPresent();
                    next = policy.next(tiers, List.of())) {
                OpenMerge merge = next.get();
                long sum =
                        tiers.stream()
                                .filter(tier -> merge.covers(tier.number()))
                                .mapToLong(MergePolicy.Tier::bytes)
                                .sum();
                int at =
                        tiers.stream()
                                .map(MergePolicy.Tier::number)
                                .toList()
                                .indexOf(merge.oldest());
                tiers.removeIf(tier -> merge.covers(tier.number()));
                tiers.add(at, new MergePolicy.Tier(merge.youngest(), sum, false));
                written += sum;
            }
        }

        // 4,000 times 32 MiB; the logarithm of 4,000 to the base of 3.5 is 6.6.
        assertThat((double) written / added).as("seed %d", SEED).isBetween(4.0, 6.7);
        assertThat(most).as("seed %d", SEED).isLessThan(20);
    }

    private static List<MergePolicy.Tier> tiers(String sizes) {
        String text = sizes.strip();
        return text.isEmpty()
                ? List.of()
                : tiers(List.of(text.split(" ")).stream().mapToLong(Long::parseLong).toArray());
    }

    private static List<MergePolicy.Tier> tiers(long... sizes) {
        var tiers = new ArrayList<MergePolicy.Tier>();
        for (int i = 0; i < sizes.length; i++) {
            tiers.add(new MergePolicy.Tier(i, sizes[i] << 20, false));
        }
        return tiers;
    }
}
