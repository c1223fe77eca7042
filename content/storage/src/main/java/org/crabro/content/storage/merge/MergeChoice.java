package org.crabro.content.storage.merge;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.crabro.content.storage.manifest.OpenMerge;
import org.crabro.content.storage.run.RunPart;
import org.crabro.content.storage.run.StoredTypes;

/**
 * The next merge.
 *
 * @param merge the tiers to merge; empty if a single run is rewritten
 * @param runs the inputs, as far as they are not merged yet
 */
public record MergeChoice(Optional<OpenMerge> merge, List<RunPart> runs) {
    /**
     * Returns the next merge; empty if none is due. Stale runs are first, then runs with old dead
     * rows; but if there are many tiers, tiers are first. Tiers with an unreadable run are not
     * merged, and the tiers on either side of them are merged separately.
     *
     * @param parts every run, from young to old
     * @param open unfinished merges
     * @param types returns how texts are searched now
     * @param now the current time, microseconds since the epoch
     * @param isUnreadable returns whether merging a run would fail
     */
    public static Optional<MergeChoice> next(
            List<RunPart> parts,
            List<OpenMerge> open,
            CompactionSettings settings,
            StoredTypes types,
            long now,
            Predicate<RunPart> isUnreadable) {
        List<MergePolicy.Tier> tiers = tiers(parts, isUnreadable);
        Optional<MergeChoice> merge =
                new MergePolicy(settings).next(tiers, open).map(chosen -> of(chosen, parts));
        if (merge.isPresent() && tiers.size() >= settings.tiersUrgent()) {
            return merge;
        }
        List<RunPart> oldFirst =
                parts.reversed().stream()
                        .filter(isUnreadable.negate())
                        .filter(part ->
                                open.stream().noneMatch(each -> each.covers(part.entry().tier())))
                        .toList();
        return oldFirst.stream()
                .filter(part -> isStale(part, types))
                .findFirst()
                .or(() ->
                        oldFirst.stream()
                                .filter(part -> isToBeErased(part, settings, now))
                                .findFirst())
                .map(part -> new MergeChoice(Optional.empty(), List.of(part)))
                .or(() -> merge);
    }

    private static List<MergePolicy.Tier> tiers(
            List<RunPart> parts, Predicate<RunPart> isUnreadable) {
        var bytes = new TreeMap<Long, Long>();
        var setAside = new HashSet<Long>();
        for (RunPart part : parts) {
            bytes.merge(part.entry().tier(), part.byteCount(), Long::sum);
            if (isUnreadable.test(part)) {
                setAside.add(part.entry().tier());
            }
        }
        var tiers = new ArrayList<MergePolicy.Tier>();
        bytes.forEach((number, size) ->
                tiers.add(new MergePolicy.Tier(number, size, setAside.contains(number))));
        return tiers;
    }

    private static MergeChoice of(OpenMerge merge, List<RunPart> parts) {
        List<RunPart> runs =
                parts.stream()
                        .filter(part -> merge.covers(part.entry().tier()))
                        .filter(part ->
                                Long.compareUnsigned(part.places().first(), merge.next()) >= 0)
                        .toList();
        return new MergeChoice(Optional.of(merge), runs);
    }

    private static boolean isStale(RunPart part, StoredTypes types) {
        return part.run().sections().stream()
                .anyMatch(section -> section.lacksTokens(types.searchedTexts(section.type())));
    }

    private static boolean isToBeErased(RunPart part, CompactionSettings settings, long now) {
        long age = now - part.entry().created();
        boolean isOld = age >= micros(settings.rewriteAge());
        boolean hasExpired = part.run().firstRemoval() <= now - micros(settings.removeRetention());
        return isOld && (part.replacedRowCount() > 0 || hasExpired);
    }

    private static long micros(Duration duration) {
        return duration.toNanos() / 1_000;
    }

    /** Returns the unfinished merges after {@code plan}, a step of this. */
    public List<OpenMerge> mergesAfter(List<OpenMerge> open, MergePlan plan) {
        var after = new ArrayList<OpenMerge>();
        for (OpenMerge each : open) {
            if (merge.isEmpty() || each.oldest() != merge.get().oldest()) {
                after.add(each);
            }
        }
        if (merge.isPresent() && !plan.isLast()) {
            after.add(new OpenMerge(merge.get().oldest(), merge.get().youngest(), plan.last() + 1));
        }
        after.sort(Comparator.comparingLong(OpenMerge::oldest));
        return after;
    }
}
