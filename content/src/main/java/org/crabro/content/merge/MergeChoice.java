package org.crabro.content.merge;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.crabro.content.manifest.OpenMerge;
import org.crabro.content.run.RunPart;
import org.crabro.content.run.StoredTypes;

/**
 * What is merged next.
 *
 * @param merge the tiers that are merged; nothing where a single run is written anew
 * @param runs what takes part, as far as it is not merged yet
 */
public record MergeChoice(Optional<OpenMerge> merge, List<RunPart> runs) {
    /**
     * Returns what is to be merged next, if anything is. Runs that are stale come first, then those
     * with something dead that grows old; but where tiers are many, tiers come first. Tiers with a
     * run that cannot be read stay as they are, and what lies on either side is merged by itself.
     *
     * @param parts every run, young to old
     * @param open merges under way
     * @param types tells how texts are searched now
     * @param now the time, microseconds since the epoch
     * @param isUnreadable whether merging a run would fail
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
                                open.stream().noneMatch(each -> each.takes(part.entry().tier())))
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
                        .filter(part -> merge.takes(part.entry().tier()))
                        .filter(part ->
                                Long.compareUnsigned(part.entry().first(), merge.next()) >= 0)
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

    /** Returns the merges that go on after {@code plan}, a step of this. */
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
