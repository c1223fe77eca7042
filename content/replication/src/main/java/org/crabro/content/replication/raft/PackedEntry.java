package org.crabro.content.replication.raft;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4SafeDecompressor;
import org.crabro.content.storage.block.column.Lz4;

/**
 * Compressed entries: each replica stores them, and a leader sends them to the others.
 *
 * <pre>
 *   0      1        5
 *   +------+--------+-----------+
 *   | kind | length | LZ4 block |     length of the entry
 *   +------+--------+-----------+
 * </pre>
 *
 * <p>Little-endian. An entry that is not compressed is stored as it is, and does not begin with
 * this kind.
 */
final class PackedEntry {
    static final byte KIND = 4;

    /** Shorter entries are not compressed. */
    static final int PACKED_MIN = 1 << 10;

    /** Longer entries are not compressed. */
    static final int PACKED_MAX = 1 << 26;

    private static final int HEADER = 5;
    private static final LZ4Compressor COMPRESSOR = Lz4.FACTORY.fastCompressor();
    private static final LZ4SafeDecompressor DECOMPRESSOR = Lz4.FACTORY.safeDecompressor();

    private PackedEntry() {}

    /** Returns the bytes of an entry, compressed if that saves an eighth or more. */
    static byte[] pack(byte[] entry) {
        if (entry.length < PACKED_MIN || entry.length > PACKED_MAX) {
            return entry;
        }
        var packed = new byte[HEADER + entry.length - entry.length / 8];
        int length;
        try {
            length =
                    COMPRESSOR.compress(
                            entry, 0, entry.length, packed, HEADER, packed.length - HEADER);
        } catch (LZ4Exception _) {
            // There is no room for it.
            return entry;
        }
        ByteBuffer.wrap(packed).order(ByteOrder.LITTLE_ENDIAN).put(KIND).putInt(entry.length);
        return Arrays.copyOf(packed, HEADER + length);
    }

    /**
     * Returns the bytes of an entry.
     *
     * @param stored compressed or not
     * @throws IllegalArgumentException if they are no compressed entry; the message names the place
     */
    static byte[] unpack(byte[] stored) {
        if (stored.length < HEADER || stored[0] != KIND) {
            return stored;
        }
        int length = ByteBuffer.wrap(stored).order(ByteOrder.LITTLE_ENDIAN).getInt(1);
        if (length < PACKED_MIN || length > PACKED_MAX) {
            throw new IllegalArgumentException(
                    "at byte 1: an entry of %d bytes, expected %d to %d"
                            .formatted(length, PACKED_MIN, PACKED_MAX));
        }
        var entry = new byte[length];
        int read;
        try {
            read = DECOMPRESSOR.decompress(stored, HEADER, stored.length - HEADER, entry, 0);
        } catch (LZ4Exception e) {
            throw new IllegalArgumentException(
                    "at byte %d: no LZ4 block of %d bytes: %s"
                            .formatted(HEADER, length, e.getMessage()),
                    e);
        }
        if (read != length) {
            throw new IllegalArgumentException(
                    "at byte %d: a block of %d bytes, expected %d".formatted(HEADER, read, length));
        }
        return entry;
    }
}
