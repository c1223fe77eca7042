package org.crabro.content.journal;

import java.nio.ByteBuffer;

/** What a log keeps as one record: written straight into the batch, so that it is copied once. */
public interface LogRecord {
    /** Returns how many bytes {@link #putTo} puts. */
    int size();

    /** Puts the record's bytes behind the position of {@code batch}. */
    void putTo(ByteBuffer batch);

    /** Returns a record of these bytes. */
    static LogRecord of(byte[] bytes) {
        return new LogRecord() {
            @Override
            public int size() {
                return bytes.length;
            }

            @Override
            public void putTo(ByteBuffer batch) {
                batch.put(bytes);
            }
        };
    }
}
