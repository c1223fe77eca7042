package org.crabro.content.storage.journal;

import java.nio.ByteBuffer;

/**
 * A record to append to a log. It is written directly into the batch, so that its bytes are copied
 * once.
 */
public interface LogRecord {
    /** Returns the number of bytes that {@link #putTo} puts. */
    int size();

    /** Puts the record's bytes at the position of {@code batch}. */
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
