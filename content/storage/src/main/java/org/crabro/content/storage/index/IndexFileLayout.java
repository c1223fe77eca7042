package org.crabro.content.storage.index;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Where the bytes of the file of an index lie. Little-endian. It contains the files that Lucene
 * writes, one after another.
 *
 * <pre>
 *   0          8         12    16      20                         content
 *   +----------+---------+-----+-------+--------------------------+---------------------+
 *   | CRABINDX | version | crc | count | count names and lengths  | count files         |
 *   +----------+---------+-----+-------+--------------------------+---------------------+
 * </pre>
 *
 * <p>{@code crc} is the crc-32c of everything behind it. A name is a byte with its length and as
 * many bytes of ASCII, a length is eight bytes. Each file begins at a multiple of eight bytes.
 */
final class IndexFileLayout {
    static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    static final long MAGIC = 0x58444e49_42415243L;

    /** Another version is made again, so there is no reader of older ones. */
    static final int VERSION = 3;

    static final int VERSION_OFFSET = 8;
    static final int CRC_OFFSET = 12;
    static final int COUNT_OFFSET = 16;
    static final int NAMES_OFFSET = 20;

    private IndexFileLayout() {}

    /** Returns the offset of a file behind {@code end}. */
    static long align(long end) {
        return end + 7 & -8L;
    }
}
