package org.crabro.document;

import java.util.HexFormat;

/**
 * A 96-bit hash of a document id.
 *
 * @param location the low 32 bits of the location: bytes 0 to 3, little-endian
 * @param hash bytes 4 to 11 of the id's MD5, read as a little-endian number
 */
public record GlobalId(int location, long hash) {
    private static final long DOCUMENT_BITS = 0x03ffffff00000000L;

    /** Returns the 58-bit bucket of this document, with its used-bits count on top. */
    public long bucket() {
        return (58L << 58) | (hash & DOCUMENT_BITS) | Integer.toUnsignedLong(location);
    }

    /** Returns 24 hexadecimal digits, in byte order. */
    public String digits() {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(Integer.reverseBytes(location))
                + hex.toHexDigits(Long.reverseBytes(hash));
    }

    /** Returns {@code gid(0x}, the {@link #digits} and a bracket. */
    @Override
    public String toString() {
        return "gid(0x" + digits() + ")";
    }
}
