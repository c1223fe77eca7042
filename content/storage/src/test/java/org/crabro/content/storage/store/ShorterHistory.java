package org.crabro.content.storage.store;

import java.util.ArrayList;
import java.util.List;
import org.crabro.content.storage.store.StoreHistory.HistoryFailure;

/** Shortens a failing history by leaving out steps while it still fails, to make it readable. */
final class ShorterHistory {
    private static final int ATTEMPTS = 400;

    private final long seed;
    private List<HistoryStep> steps;
    private HistoryFailure failure;
    private int attempts;

    ShorterHistory(long seed, List<HistoryStep> steps, HistoryFailure failure) {
        this.seed = seed;
        this.steps = steps;
        this.failure = failure;
    }

    /** Returns the failure of the shortest history that was found. */
    HistoryFailure find() {
        for (int length = Math.max(1, steps.size() / 2); length > 0; length /= 2) {
            boolean isShorter = true;
            while (isShorter && attempts < ATTEMPTS) {
                isShorter = drop(length);
            }
        }
        return failure;
    }

    /**
     * Leaves out each part of {@code length} steps that is not needed; returns whether there was
     * one.
     */
    private boolean drop(int length) {
        boolean isShorter = false;
        for (int from = 0; from < steps.size() && attempts < ATTEMPTS; ) {
            List<HistoryStep> fewer = new ArrayList<>(steps.subList(0, from));
            fewer.addAll(steps.subList(Math.min(steps.size(), from + length), steps.size()));
            attempts++;
            try {
                StoreHistory.run(seed, fewer);
                from += length;
            } catch (HistoryFailure e) {
                failure = e;
                steps = fewer;
                isShorter = true;
            }
        }
        return isShorter;
    }
}
