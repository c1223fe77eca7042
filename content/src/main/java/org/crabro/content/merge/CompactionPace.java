package org.crabro.content.merge;

import java.io.IOException;

/** Says how fast runs are merged. */
@FunctionalInterface
public interface CompactionPace {
    /** As fast as it goes. */
    CompactionPace UNLIMITED = (_, _) -> {};

    /**
     * Returns when {@code bytes} may be written.
     *
     * @param isUrgent whether somebody waits for the end of it
     * @throws IOException if merging is to stop: what was written is let go of
     */
    void spend(long bytes, boolean isUrgent) throws IOException;
}
