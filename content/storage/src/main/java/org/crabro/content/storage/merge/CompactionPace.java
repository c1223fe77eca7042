package org.crabro.content.storage.merge;

import java.io.IOException;

/** Limits the speed of merges. */
@FunctionalInterface
public interface CompactionPace {
    /** No limit. */
    CompactionPace UNLIMITED = (_, _) -> {};

    /**
     * Waits until {@code bytes} may be written.
     *
     * @param isUrgent whether another thread waits for the merge
     * @throws IOException if the merge must stop: its output is deleted
     */
    void spend(long bytes, boolean isUrgent) throws IOException;
}
