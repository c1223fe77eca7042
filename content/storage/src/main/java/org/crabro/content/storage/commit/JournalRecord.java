package org.crabro.content.storage.commit;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.crabro.content.storage.journal.LogRecord;

/**
 * A record of the node's journal: the row of a partition, or an empty record, which only has a
 * number.
 *
 * <pre>
 *   0      1     2           4
 *   +------+-----+-----------+-----+
 *   | kind | 0   | partition | row |
 *   +------+-----+-----------+-----+
 * </pre>
 */
public final class JournalRecord {
    /** The bytes before the row. */
    public static final int HEADER = 4;

    private static final int ROW_KIND = 1;
    private static final int EMPTY_KIND = 2;

    private JournalRecord() {}

    /** Returns an empty record: only the header of its batch matters. */
    public static LogRecord empty() {
        return LogRecord.of(new byte[] {EMPTY_KIND, 0, 0, 0});
    }

    public static boolean isEmpty(ByteBuffer record) {
        return record.get(0) == EMPTY_KIND;
    }

    /**
     * Returns the record of a partition's row.
     *
     * @param row not to be changed any more
     */
    public static LogRecord ofRow(int partition, byte[] row) {
        return new LogRecord() {
            @Override
            public int size() {
                return HEADER + row.length;
            }

            @Override
            public void putTo(ByteBuffer batch) {
                batch.put((byte) ROW_KIND)
                        .put((byte) 0)
                        .put((byte) partition)
                        .put((byte) (partition >>> Byte.SIZE))
                        .put(row);
            }
        };
    }

    /**
     * Checks that this version supports {@code record}.
     *
     * @throws IOException if it does not
     */
    public static void check(long number, ByteBuffer record) throws IOException {
        if (record.remaining() < HEADER
                || record.get(1) != 0
                || (record.get(0) != ROW_KIND && record.get(0) != EMPTY_KIND)) {
            throw new IOException(
                    "journal record %d is %d bytes of kind %d, expected kind %d or %d"
                            .formatted(
                                    number,
                                    record.remaining(),
                                    record.hasRemaining() ? record.get(0) : -1,
                                    ROW_KIND,
                                    EMPTY_KIND));
        }
    }

    public static int partition(ByteBuffer record) {
        return Byte.toUnsignedInt(record.get(2)) | Byte.toUnsignedInt(record.get(3)) << Byte.SIZE;
    }

    public static byte[] row(ByteBuffer record) {
        var row = new byte[record.remaining() - HEADER];
        record.get(HEADER, row);
        return row;
    }
}
