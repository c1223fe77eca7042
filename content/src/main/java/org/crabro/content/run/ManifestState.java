package org.crabro.content.run;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/**
 * What the edits of a manifest add up to.
 *
 * @param editCount how many edits there were
 * @param covered the journal position up to which everything is in runs; 0 before the first edit
 * @param lastTimestamp the highest timestamp up to there; 0 before the first edit
 * @param runs old to young
 * @param lastNumber the highest run number ever given
 */
record ManifestState(
        long editCount, long covered, long lastTimestamp, List<RunEntry> runs, long lastNumber) {
    static final ManifestState EMPTY = new ManifestState(0, 0, 0, List.of(), 0);

    ManifestState {
        runs = List.copyOf(runs);
    }

    /**
     * Returns the state after {@code edit}.
     *
     * @throws IllegalArgumentException if the edit removes a run that is not there, or adds one
     *     that was there before
     */
    ManifestState after(ManifestEdit edit) {
        var removed = new HashSet<>(edit.removed());
        var after = new ArrayList<RunEntry>();
        int place = -1;
        for (RunEntry run : runs) {
            if (!removed.remove(run.number())) {
                after.add(run);
            } else if (place < 0) {
                place = after.size();
            }
        }
        if (!removed.isEmpty()) {
            throw new IllegalArgumentException("runs " + removed + " are not there to be removed");
        }
        long number = lastNumber;
        for (RunEntry run : edit.added()) {
            if (run.number() <= number) {
                throw new IllegalArgumentException(
                        "run %d is added after run %d".formatted(run.number(), number));
            }
            number = run.number();
        }
        after.addAll(place < 0 ? after.size() : place, edit.added());
        return new ManifestState(
                editCount + 1, edit.covered(), edit.lastTimestamp(), after, number);
    }
}
