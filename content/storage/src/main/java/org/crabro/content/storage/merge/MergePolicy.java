package org.crabro.content.storage.merge;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.crabro.content.storage.manifest.OpenMerge;
import org.crabro.content.storage.manifest.RunEntry;

/**
 * Chooses the next tiers to merge: at least {@code fanOut} neighbours in age, none of which is much
 * larger than the others. So each time a row is written again, its run grows by a factor of at
 * least about {@code fanOut - 1}, and the number of tiers grows with the logarithm of the data. The
 * cheapest merge is first, even before an unfinished one: small tiers appear faster than large
 * ones.
 */
final class MergePolicy {
    /** The most tiers of one merge. */
    static final int TIERS_MAX = 16;

    private final CompactionSettings settings;

    MergePolicy(CompactionSettings settings) {
        this.settings = settings;
    }

    /**
     * A tier.
     *
     * @param bytes that are not merged into another tier yet
     * @param isSetAside whether it cannot be merged: then the tiers on either side of it are not
     *     neighbours
     */
    record Tier(long number, long bytes, boolean isSetAside) {}

    private record Candidate(OpenMerge merge, long bytes) {}

    /**
     * Returns the merge that the next step belongs to.
     *
     * @param tiers from old to young
     * @param open unfinished merges
     */
    Optional<OpenMerge> next(List<Tier> tiers, List<OpenMerge> open) {
        var candidates = new ArrayList<Candidate>();
        for (OpenMerge merge : open) {
            if (tiers.stream()
                    .noneMatch(tier -> tier.isSetAside() && merge.covers(tier.number()))) {
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
        return tier.isSetAside() || open.stream().anyMatch(merge -> merge.covers(tier.number()));
    }

    private static long bytes(List<Tier> tiers, OpenMerge merge) {
        return tiers.stream()
                .filter(tier -> merge.covers(tier.number()))
                .mapToLong(Tier::bytes)
                .sum();
    }

    private void addWindows(List<Tier> free, int tierCount, List<Candidate> candidates) {
        for (int from = 0; from < free.size(); from++) {
            long total = 0;
            long largest = 0;
            int end = Math.min(free.size(), from + TIERS_MAX);
            for (int to = from; to < end; to++) {
                // An empty tier also counts, because every reader checks it.
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

    /**
     * Returns whether the tiers are of similar size. The more tiers there are, the larger the share
     * of the largest may be.
     */
    private boolean isEven(long largest, long total, int tierCount) {
        if (tierCount >= settings.tiersMax() - settings.fanOut()) {
            return true;
        }
        int parts = settings.fanOut() - (tierCount >= settings.tiersUrgent() ? 2 : 1);
        return largest * parts <= total;
    }
}
