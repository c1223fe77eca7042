package org.crabro.content.storage.journal;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The layout of a journal batch. Little-endian; every batch starts on a 512-byte boundary.
 *
 * <pre>
 *   0       4        8         12       16       24         32
 *   +-------+--------+---------+--------+--------+----------+------------------+---------+
 *   | crc   | length | segment | oldest | first  | durable  | records          | padding |
 *   | 32c   |        | number  | needed | number | position | (length bytes)   |         |
 *   +-------+--------+---------+--------+--------+----------+------------------+---------+
 *   a record: | length | bytes |
 * </pre>
 *
 * <p>{@code crc} covers all bytes after it, including {@code length}, so a flipped length cannot
 * make a reader skip records. {@code segment number} distinguishes a batch from batches of an
 * earlier use of the file. {@code oldest needed} is the oldest segment that is not released: a
 * segment from there on that is missing was lost. {@code durable position} is the end of the bytes
 * that were forced when the batch was written. A bad batch below the durable position of a later
 * batch is corruption; a bad batch above it is a torn tail.
 */
final class BatchLayout {
    private BatchLayout() {}

    static final int CRC_OFFSET = 0;
    static final int LENGTH_OFFSET = 4;
    static final int SEGMENT_OFFSET = 8;
    static final int OLDEST_OFFSET = 12;
    static final int FIRST_NUMBER_OFFSET = 16;
    static final int DURABLE_OFFSET = 24;
    static final int RECORDS_OFFSET = 32;

    /** The bytes before each record that hold its length. */
    static final int RECORD_HEADER = Integer.BYTES;

    /**
     * Completes a batch whose records were already put from {@link #RECORDS_OFFSET} on.
     *
     * @param batch little-endian, position at the end of the records; on return flipped, ready to
     *     be written whole
     * @param firstNumber the number of the first record
     * @param durable the position up to which all bytes are forced
     */
    static void seal(
            ByteBuffer batch, int segment, int oldest, long firstNumber, LogPosition durable) {
        int length = batch.position() - RECORDS_OFFSET;
        assert length > 0 : "empty batch";
        batch.putInt(LENGTH_OFFSET, length)
                .putInt(SEGMENT_OFFSET, segment)
                .putInt(OLDEST_OFFSET, oldest)
                .putLong(FIRST_NUMBER_OFFSET, firstNumber)
                .putLong(DURABLE_OFFSET, durable.pack());
        while (batch.position() % LogPosition.ALIGNMENT != 0) {
            batch.put((byte) 0);
        }
        batch.flip();
        batch.putInt(CRC_OFFSET, checksum(batch, length));
    }

    /** Returns the checksum of a batch with {@code length} bytes of records. */
    static int checksum(ByteBuffer batch, int length) {
        var crc = new CRC32C();
        crc.update(batch.slice(LENGTH_OFFSET, RECORDS_OFFSET - LENGTH_OFFSET + length));
        return (int) crc.getValue();
    }

    /** Returns the size in bytes of a batch with {@code length} bytes of records. */
    static long size(long length) {
        long end = RECORDS_OFFSET + length + LogPosition.ALIGNMENT - 1;
        return end - end % LogPosition.ALIGNMENT;
    }
}
