package org.crabro.content.storage.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Receives the findings of a {@link JournalScan}. */
public interface JournalReport {
    /** Receives a file of the journal. */
    void segment(SegmentSummary segment) throws IOException;

    /** Receives bytes that differ from the bytes that were written. */
    void damage(Damage damage) throws IOException;

    /** Checks records. */
    @FunctionalInterface
    interface RecordCheck {
        /**
         * Checks a record that is needed.
         *
         * @param record valid until this returns
         * @return the problem, or empty if the record is correct
         */
        Optional<String> problem(ByteBuffer record);
    }
}
