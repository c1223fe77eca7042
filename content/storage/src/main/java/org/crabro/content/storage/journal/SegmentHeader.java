package org.crabro.content.storage.journal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The first 512 bytes of a segment's file. They are written once, when the file is created; the
 * bytes after them are overwritten many times. Little-endian; the rest is zeros.
 *
 * <pre>
 *   0          8         12          20
 *   +----------+---------+-----------+-----+
 *   | CRABJRNL | version | file size | crc |
 *   +----------+---------+-----------+-----+
 * </pre>
 *
 * @param size of the full file, in bytes
 */
record SegmentHeader(long size) {
    /** The size of a header in bytes; the first batch follows it. */
    static final int LENGTH = LogPosition.ALIGNMENT;

    static final int VERSION = 1;

    private static final long MAGIC = 0x4C4E524A_42415243L;
    private static final int VERSION_OFFSET = 8;
    private static final int SIZE_OFFSET = 12;
    static final int CRC_OFFSET = 20;

    ByteBuffer bytes() {
        ByteBuffer bytes = ByteBuffer.allocate(LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(0, MAGIC).putInt(VERSION_OFFSET, VERSION).putLong(SIZE_OFFSET, size);
        return bytes.putInt(CRC_OFFSET, checksum(bytes));
    }

    /** Returns whether {@code bytes} are a whole header of any version. */
    static boolean isWhole(ByteBuffer bytes) {
        return bytes.remaining() >= LENGTH
                && bytes.getLong(0) == MAGIC
                && bytes.getInt(CRC_OFFSET) == checksum(bytes);
    }

    /**
     * Parses the whole header in {@code bytes}.
     *
     * @throws CorruptJournalException if it has another version
     */
    static SegmentHeader parse(String file, ByteBuffer bytes) throws CorruptJournalException {
        int version = bytes.getInt(VERSION_OFFSET);
        if (version != VERSION) {
            throw new CorruptJournalException(
                    file, VERSION_OFFSET, "journal version " + VERSION, "version " + version);
        }
        return new SegmentHeader(bytes.getLong(SIZE_OFFSET));
    }

    private static int checksum(ByteBuffer bytes) {
        var crc = new CRC32C();
        crc.update(bytes.slice(0, CRC_OFFSET));
        return (int) crc.getValue();
    }
}
