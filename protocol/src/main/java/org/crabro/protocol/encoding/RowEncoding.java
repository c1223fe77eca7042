package org.crabro.protocol.encoding;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.InvalidDocumentException;
import org.crabro.document.LocationKey;

/**
 * The bytes of a {@link Row}. Little-endian; fields by their index in the document type.
 *
 * <pre>
 *   0             8           16      17        18      20       24
 *   +-------------+-----------+-------+---------+-------+--------+----------+------------------+
 *   | fingerprint | timestamp | flags | version | field | id     | id       | field index: u16 |
 *   |             |           |       |         | count | length | in UTF-8 | value            | …
 *   +-------------+-----------+-------+---------+-------+--------+----------+------------------+
 * </pre>
 *
 * <p>The header has fixed offsets, so that a store can check the version and the type, write the
 * timestamp and find the id without reading a value. The format of values is described in {@code
 * docs/formats/row.md}.
 */
public final class RowEncoding {
    /** The version that {@link #encode} writes; others are rejected. */
    static final int VERSION = 1;

    static final int FINGERPRINT_OFFSET = 0;
    static final int TIMESTAMP_OFFSET = 8;
    static final int FLAGS_OFFSET = 16;
    static final int VERSION_OFFSET = 17;
    static final int FIELD_COUNT_OFFSET = 18;
    static final int ID_LENGTH_OFFSET = 20;

    /** The offset of the id in a row, in UTF-8. */
    public static final int ID_OFFSET = 24;

    static final int TOMBSTONE_FLAG = 1;
    static final int GROUP_TOMBSTONE_FLAG = 2;

    static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** What strings have in place of invalid bytes. */
    private static final char REPLACEMENT = '\uFFFD';

    private RowEncoding() {}

    /**
     * Encodes a row.
     *
     * @throws IllegalArgumentException if the row's fingerprint is not that of the type, the type
     *     does not have a field, or a value does not have its field's type
     */
    public static byte[] encode(Row row, DocumentType type) {
        return new RowWriter(type).write(row);
    }

    /**
     * Writes the timestamp into an encoded row. The timestamp is known only when the row gets its
     * position in the log.
     */
    public static void stamp(byte[] row, long timestamp) {
        MemorySegment.ofArray(row).set(LONG, TIMESTAMP_OFFSET, timestamp);
    }

    /** Returns the fingerprint in {@code row}, by which the type can be looked up. */
    public static long fingerprint(MemorySegment row) {
        return header(row).get(LONG, FINGERPRINT_OFFSET);
    }

    /** Returns the timestamp in {@code row}. */
    public static long timestamp(MemorySegment row) {
        return header(row).get(LONG, TIMESTAMP_OFFSET);
    }

    /** Returns whether {@code row} is the tombstone of a document. */
    public static boolean isTombstone(MemorySegment row) {
        return (header(row).get(ValueLayout.JAVA_BYTE, FLAGS_OFFSET) & TOMBSTONE_FLAG) != 0;
    }

    /**
     * Returns the tombstone of a whole group: a row without fields whose id has neither namespace
     * nor user part, such as {@code id::mail:g=ann:}. No document has such an id. The tombstone
     * removes all documents of the type in the group that were written before it, in all
     * namespaces.
     *
     * @param group no {@link LocationKey.Plain}
     */
    public static byte[] groupTombstone(DocumentType type, LocationKey group) {
        if (group instanceof LocationKey.Plain) {
            throw new IllegalArgumentException("no group to be removed");
        }
        byte[] id = ("id::" + type.name() + ':' + group.text() + ':').getBytes(UTF_8);
        var bytes = new byte[ID_OFFSET + id.length];
        MemorySegment row = MemorySegment.ofArray(bytes);
        row.set(LONG, FINGERPRINT_OFFSET, type.fingerprint());
        bytes[FLAGS_OFFSET] = GROUP_TOMBSTONE_FLAG;
        bytes[VERSION_OFFSET] = VERSION;
        row.set(INT, ID_LENGTH_OFFSET, id.length);
        System.arraycopy(id, 0, bytes, ID_OFFSET, id.length);
        return bytes;
    }

    /** Returns whether {@code row} is the tombstone of a group. */
    public static boolean isGroupTombstone(MemorySegment row) {
        return (header(row).get(ValueLayout.JAVA_BYTE, FLAGS_OFFSET) & GROUP_TOMBSTONE_FLAG) != 0;
    }

    /** Returns the UTF-8 bytes of the id in {@code row}, without a copy. */
    public static MemorySegment idBytes(MemorySegment row) {
        return row.asSlice(ID_OFFSET, idLength(row));
    }

    /** Returns the number of bytes of the id in {@code row}. */
    static int idLength(MemorySegment row) {
        int length = header(row).get(INT, ID_LENGTH_OFFSET);
        if (length < 0 || length > row.byteSize() - ID_OFFSET) {
            throw new IllegalArgumentException(
                    "a row of %d bytes names an id of %d".formatted(row.byteSize(), length));
        }
        return length;
    }

    /**
     * Returns the id in {@code row}.
     *
     * @throws IllegalArgumentException if the id is not valid
     */
    public static DocumentId id(MemorySegment row) {
        String text = text(idBytes(row));
        try {
            return DocumentId.parse(text);
        } catch (InvalidDocumentException e) {
            throw new IllegalArgumentException("a row names the id '" + text + "'", e);
        }
    }

    /**
     * Decodes a row.
     *
     * @param type the type with the row's fingerprint
     * @throws IllegalArgumentException if the bytes are not a row of that type
     */
    public static Row decode(MemorySegment row, DocumentType type) {
        return new RowReader(row, type).read();
    }

    /** Decodes UTF-8. Rejects invalid bytes instead of replacing them. */
    static String text(MemorySegment bytes) {
        // Faster than a decoder, but replaces invalid bytes.
        var text = new String(bytes.toArray(ValueLayout.JAVA_BYTE), UTF_8);
        if (text.indexOf(REPLACEMENT) < 0) {
            return text;
        }
        try {
            return UTF_8.newDecoder().decode(bytes.asByteBuffer()).toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("a row holds text that is not UTF-8", e);
        }
    }

    private static MemorySegment header(MemorySegment row) {
        if (row.byteSize() < ID_OFFSET) {
            throw new IllegalArgumentException(
                    "a row has %d bytes, expected at least %d"
                            .formatted(row.byteSize(), ID_OFFSET));
        }
        byte version = row.get(ValueLayout.JAVA_BYTE, VERSION_OFFSET);
        if (version != VERSION) {
            throw new IllegalArgumentException(
                    "a row has version %d, expected %d".formatted(version, VERSION));
        }
        return row;
    }
}
