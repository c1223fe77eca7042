package org.crabro.client.spool;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Where the bytes of a segment lie. Little-endian; records begin at multiples of 8 bytes. {@code
 * docs/formats/spool.md} describes the format.
 *
 * <pre>
 *   0          8         12      16       24      32
 *   +----------+---------+-------+--------+-------+---------+---------+-----
 *   | CRABSPOL | version | crc32c| number | size  | record  | record  | ...
 *   +----------+---------+-------+--------+-------+---------+---------+-----
 *
 *   0         4        8        12       16        18
 *   +---------+--------+--------+--------+---------+----------+---------+---------+
 *   | length  | crc32c | state  | zero   | length  | document | content | padding |
 *   | of rest |        |        |        | of id   |          |         |         |
 *   +---------+--------+--------+--------+---------+----------+---------+---------+
 * </pre>
 *
 * <p>The length of a record is written last, so a process that ends never leaves a part of one. A
 * length of {@link #END} ends a segment to which nothing more is written.
 */
final class SpoolLayout {
    /** The size of a segment, unless a record needs more. */
    static final int SEGMENT_BYTES = 4 << 20;

    /** Sizes of segments are multiples of this. */
    static final int SEGMENT_STEP = 64 << 10;

    /** The largest segment, which a reader accepts. */
    static final int SEGMENT_BYTES_MAX = 80 << 20;

    static final long MAGIC = 0x4c4f_5053_4241_5243L;
    static final int VERSION = 1;

    static final int MAGIC_OFFSET = 0;
    static final int VERSION_OFFSET = 8;
    static final int CRC_OFFSET = 12;
    static final int NUMBER_OFFSET = 16;
    static final int SIZE_OFFSET = 24;
    static final int RECORDS_OFFSET = 32;

    static final int RECORD_LENGTH = 0;
    static final int RECORD_CRC = 4;
    static final int RECORD_STATE = 8;
    static final int RECORD_REST = 16;

    /** The state of a record that waits. */
    static final int WAITING = 0;

    /** The state of a record that is done. */
    static final int DONE = 0x454e_4f44;

    /** The length that ends a segment. */
    static final int END = -1;

    private static final int ALIGNMENT = 8;

    private SpoolLayout() {}

    /** Returns the header of a segment. */
    static byte[] header(long number, long size) {
        ByteBuffer header = ByteBuffer.allocate(RECORDS_OFFSET).order(ByteOrder.LITTLE_ENDIAN);
        header.putLong(MAGIC_OFFSET, MAGIC)
                .putInt(VERSION_OFFSET, VERSION)
                .putLong(NUMBER_OFFSET, number)
                .putLong(SIZE_OFFSET, size);
        var crc = new CRC32C();
        crc.update(header.array(), 0, CRC_OFFSET);
        crc.update(header.array(), NUMBER_OFFSET, RECORDS_OFFSET - NUMBER_OFFSET);
        header.putInt(CRC_OFFSET, (int) crc.getValue());
        return header.array();
    }

    /**
     * Returns the rest of a record, behind its state.
     *
     * @throws IllegalArgumentException if the id is longer than 65,535 bytes
     */
    static byte[] payload(String document, byte[] content) {
        byte[] id = document.getBytes(StandardCharsets.UTF_8);
        if (id.length > Character.MAX_VALUE) {
            throw new IllegalArgumentException("an id of %,d bytes".formatted(id.length));
        }
        return ByteBuffer.allocate(Short.BYTES + id.length + content.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putShort((short) id.length)
                .put(id)
                .put(content)
                .array();
    }

    /**
     * Returns the length of the id in the rest of a record; negative if there is no room for it.
     */
    static int idLength(byte[] payload) {
        if (payload.length < Short.BYTES) {
            return -1;
        }
        int length = (payload[0] & 0xff) | ((payload[1] & 0xff) << Byte.SIZE);
        return length <= payload.length - Short.BYTES ? length : -1;
    }

    static String document(byte[] payload) {
        return new String(payload, Short.BYTES, idLength(payload), StandardCharsets.UTF_8);
    }

    static byte[] content(byte[] payload) {
        return Arrays.copyOfRange(payload, Short.BYTES + idLength(payload), payload.length);
    }

    /**
     * Returns the checksum of a record. A record at another place, or of another segment, has
     * another one.
     *
     * @param length of the rest, or {@link #END}
     */
    static int checksum(long segment, long offset, int length, byte[] payload) {
        ByteBuffer place =
                ByteBuffer.allocate(2 * Long.BYTES + Integer.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(segment)
                        .putLong(offset)
                        .putInt(length)
                        .flip();
        var crc = new CRC32C();
        crc.update(place);
        crc.update(payload);
        return (int) crc.getValue();
    }

    /** Returns how many bytes a record takes. */
    static long recordBytes(int length) {
        return Math.ceilDiv(RECORD_REST + (long) length, (long) ALIGNMENT) * ALIGNMENT;
    }

    /** Returns the size of a segment that has room for a record of this many bytes. */
    static long segmentBytes(long recordBytes) {
        long needed = RECORDS_OFFSET + recordBytes + RECORD_REST;
        return Math.max(SEGMENT_BYTES, Math.ceilDiv(needed, (long) SEGMENT_STEP) * SEGMENT_STEP);
    }
}
