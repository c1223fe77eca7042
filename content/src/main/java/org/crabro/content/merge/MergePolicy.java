package org.crabro.content.merge;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.crabro.content.manifest.OpenMerge;
import org.crabro.content.manifest.RunEntry;

/**
 * Chooses which tiers are merged next: neighbours in age, at least {@code fanOut} of them, of which
 * none is much larger than the others. So what a row lies in grows by a factor, about {@code fanOut
 * - 1} at least, whenever the row is written again, and the number of tiers grows with the
 * logarithm of what there is. The cheapest merge comes first, also before one that is under way:
 * small tiers come faster than large ones.
 */
final class MergePolicy {
    /** So many tiers are merged at once at most. */
    static final int TIERS_MAX = 16;

    private final CompactionSettings settings;

    MergePolicy(CompactionSettings settings) {
        this.settings = settings;
    }

    /**
     * A tier.
     *
     * @param bytes that are not merged into another yet
     * @param isSetAside whether it cannot be merged: its neighbours are no neighbours of each other
     */
    record Tier(long number, long bytes, boolean isSetAside) {}

    private record Candidate(OpenMerge merge, long bytes) {}

    /**
     * Returns the merge of which a step is to be done next.
     *
     * @param tiers old to young
     * @param open merges under way
     */
    Optional<OpenMerge> next(List<Tier> tiers, List<OpenMerge> open) {
        var candidates = new ArrayList<Candidate>();
        for (OpenMerge merge : open) {
            if (tiers.stream().noneMatch(tier -> tier.isSetAside() && merge.takes(tier.number()))) {
                candidates.add(new Candidate(merge, bytes(tiers, merge)));
            }
        }
        int from = 0;
        for (int i = 0; i <= tiers.size(); i++) {
            if (i == tiers.size() || isTaken(tiers.get(i), open)) {
                addWindows(tiers.subList(from, i), tiers.size(), candidates);
                from = i + 1;
            }
        }
        return candidates.stream()
                .min(Comparator.comparingLong(Candidate::bytes))
                .map(Candidate::merge);
    }

    private static boolean isTaken(Tier tier, List<OpenMerge> open) {
        return tier.isSetAside() || open.stream().anyMatch(merge -> merge.takes(tier.number()));
    }

    private static long bytes(List<Tier> tiers, OpenMerge merge) {
        return tiers.stream()
                .filter(tier -> merge.takes(tier.number()))
                .mapToLong(Tier::bytes)
                .sum();
    }

    private void addWindows(List<Tier> free, int tierCount, List<Candidate> candidates) {
        for (int from = 0; from < free.size(); from++) {
            long total = 0;
            long largest = 0;
            int end = Math.min(free.size(), from + TIERS_MAX);
            for (int to = from; to < end; to++) {
                // An empty tier counts as well: it costs every reader a look.
                total += free.get(to).bytes() + 1;
                largest = Math.max(largest, free.get(to).bytes() + 1);
                boolean isWide = to - from + 1 >= settings.fanOut();
                if (isWide && isEven(largest, total, tierCount)) {
                    var merge =
                            new OpenMerge(
                                    free.get(from).number(), free.get(to).number(), RunEntry.FIRST);
                    candidates.add(new Candidate(merge, total));
                }
            }
        }
    }

    /** The more tiers there are, the larger a part of the whole the largest may be. */
    private boolean isEven(long largest, long total, int tierCount) {
        if (tierCount >= settings.tiersMax() - settings.fanOut()) {
            return true;
        }
        int parts = settings.fanOut() - (tierCount >= settings.tiersUrgent() ? 2 : 1);
        return largest * parts <= total;
    }
}
