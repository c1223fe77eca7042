package org.crabro.content.recent;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A record of the node's journal: the row of a partition.
 *
 * <pre>
 *   0      1     2           4
 *   +------+-----+-----------+-----+
 *   | kind | 0   | partition | row |
 *   +------+-----+-----------+-----+
 * </pre>
 */
final class JournalRecord {
    /** Bytes in front of the row. */
    static final int HEADER = 4;

    private static final int ROW_KIND = 1;

    private JournalRecord() {}

    static byte[] bytes(int partition, byte[] row) {
        var bytes = new byte[HEADER + row.length];
        bytes[0] = ROW_KIND;
        bytes[2] = (byte) partition;
        bytes[3] = (byte) (partition >>> Byte.SIZE);
        System.arraycopy(row, 0, bytes, HEADER, row.length);
        return bytes;
    }

    /**
     * Checks that {@code record} is one that this version knows.
     *
     * @throws IOException if it is not
     */
    static void check(long number, ByteBuffer record) throws IOException {
        if (record.remaining() < HEADER || record.get(0) != ROW_KIND || record.get(1) != 0) {
            throw new IOException(
                    "journal record %d is %d bytes of kind %d, expected kind %d"
                            .formatted(
                                    number,
                                    record.remaining(),
                                    record.hasRemaining() ? record.get(0) : -1,
                                    ROW_KIND));
        }
    }

    static int partition(ByteBuffer record) {
        return Byte.toUnsignedInt(record.get(2)) | Byte.toUnsignedInt(record.get(3)) << Byte.SIZE;
    }

    static byte[] row(ByteBuffer record) {
        var row = new byte[record.remaining() - HEADER];
        record.get(HEADER, row);
        return row;
    }
}
