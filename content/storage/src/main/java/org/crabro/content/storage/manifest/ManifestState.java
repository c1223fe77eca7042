package org.crabro.content.storage.manifest;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/**
 * The result of the edits of a manifest.
 *
 * @param editCount the number of edits
 * @param covered the journal position up to which all rows are in runs; 0 before the first edit
 * @param lastTimestamp the highest timestamp up to there; 0 before the first edit
 * @param lastNumber the highest run number ever assigned
 * @param runs by tier, from old to young, and in the order of their places within a tier
 * @param merges the unfinished merges; they have no tier in common
 */
public record ManifestState(
        long editCount,
        long covered,
        long lastTimestamp,
        long lastNumber,
        List<RunEntry> runs,
        List<OpenMerge> merges) {
    public static final ManifestState EMPTY = new ManifestState(0, 0, 0, 0, List.of(), List.of());

    private static final Comparator<RunEntry> ORDER =
            Comparator.comparingLong(RunEntry::tier)
                    .thenComparing(RunEntry::first, Long::compareUnsigned);

    public ManifestState {
        runs = List.copyOf(runs);
        merges = List.copyOf(merges);
    }

    /**
     * Returns the state after {@code edit}.
     *
     * @throws IllegalArgumentException if the edit removes or bounds a run that does not exist, or
     *     adds one that exists
     */
    public ManifestState after(ManifestEdit edit) {
        var removed = new HashSet<>(edit.runs().removed());
        Map<Long, RunBounds> bounded = new HashMap<>();
        edit.runs().bounded().forEach(bounds -> bounded.put(bounds.number(), bounds));
        var after = new ArrayList<RunEntry>();
        for (RunEntry run : runs) {
            RunBounds bounds = bounded.remove(run.number());
            if (removed.remove(run.number())) {
                continue;
            }
            after.add(bounds == null ? run : run.within(bounds.places()));
        }
        if (!removed.isEmpty()) {
            throw new IllegalArgumentException(
                    "runs " + removed + " do not exist and cannot be removed");
        }
        if (!bounded.isEmpty()) {
            throw new IllegalArgumentException(
                    "runs " + bounded.keySet() + " do not exist and cannot be bounded");
        }
        long number = lastNumber;
        for (RunEntry run : edit.runs().added()) {
            if (run.number() <= number) {
                throw new IllegalArgumentException(
                        "run %d is added after run %d".formatted(run.number(), number));
            }
            number = run.number();
            after.add(run);
        }
        after.sort(ORDER);
        return new ManifestState(
                editCount + 1,
                edit.covered(),
                edit.lastTimestamp(),
                Math.max(number, edit.lastNumber()),
                after,
                edit.merges());
    }

    /** Returns a single edit with all of this state. */
    ManifestEdit whole() {
        List<RunEntry> inOrder =
                runs.stream().sorted(Comparator.comparingLong(RunEntry::number)).toList();
        return new ManifestEdit(
                covered,
                lastTimestamp,
                lastNumber,
                new RunChanges(List.of(), List.of(), inOrder),
                merges);
    }

    /** Returns the state that {@link #whole} was called on, which had {@code editCount} edits. */
    static ManifestState ofWhole(ManifestEdit whole, long editCount) {
        ManifestState after = EMPTY.after(whole);
        return new ManifestState(
                editCount,
                after.covered(),
                after.lastTimestamp(),
                after.lastNumber(),
                after.runs(),
                after.merges());
    }
}
