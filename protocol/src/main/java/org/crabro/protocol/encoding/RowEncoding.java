package org.crabro.protocol.encoding;

import java.lang.foreign.MemorySegment;
import org.crabro.document.DocumentType;

/** The bytes of a {@link Row}. Little-endian; fields by their index in the document type. */
public final class RowEncoding {
    private RowEncoding() {}

    /** Returns the bytes of {@code row}, whose type is {@code type}. */
    public static byte[] encode(Row row, DocumentType type) {
        throw new UnsupportedOperationException();
    }

    /** Returns the fingerprint in {@code row}, so that the type can be looked up. */
    public static long fingerprint(MemorySegment row) {
        throw new UnsupportedOperationException();
    }

    /**
     * Returns the row in {@code row}.
     *
     * @param type the type with the row's fingerprint
     * @throws IllegalArgumentException if the bytes are not a row of that type
     */
    public static Row decode(MemorySegment row, DocumentType type) {
        throw new UnsupportedOperationException();
    }
}
