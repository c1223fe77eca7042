package org.crabro.content.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Takes what a {@link JournalScan} finds. */
public interface JournalReport {
    /** A file of the journal. */
    void segment(SegmentSummary segment) throws IOException;

    /** Bytes that are not as they were written. */
    void damage(Damage damage) throws IOException;

    /** Says what is wrong with records. */
    @FunctionalInterface
    interface RecordCheck {
        /**
         * Returns what is wrong with a record that is needed, or nothing.
         *
         * @param record valid until this returns
         */
        Optional<String> problem(ByteBuffer record);
    }
}
