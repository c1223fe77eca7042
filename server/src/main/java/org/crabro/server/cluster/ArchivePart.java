package org.crabro.server.cluster;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A part of an archive, for another config server.
 *
 * <pre>
 *   0       64       72       80
 *   +-------+--------+--------+-------+
 *   | name  | offset | length | bytes |
 *   +-------+--------+--------+-------+
 * </pre>
 *
 * @param name the SHA-256 of the archive, in hexadecimal digits
 * @param offset of the part, in bytes
 * @param length of the whole archive, in bytes
 * @param bytes none to ask whether the archive is there
 */
record ArchivePart(String name, long offset, long length, ByteBuffer bytes) {
    /** The form of a name. */
    static final String NAME = "[0-9a-f]{64}";

    private static final int NAME_LENGTH = 64;
    private static final int HEADER = NAME_LENGTH + 2 * Long.BYTES;

    byte[] encode() {
        byte[] encoded = new byte[HEADER + bytes.remaining()];
        ByteBuffer.wrap(encoded)
                .put(name.getBytes(StandardCharsets.US_ASCII))
                .putLong(offset)
                .putLong(length)
                .put(bytes.duplicate());
        return encoded;
    }

    /**
     * Decodes a part.
     *
     * @throws IllegalArgumentException if it has another form
     */
    static ArchivePart decode(byte[] encoded) {
        if (encoded.length < HEADER) {
            throw new IllegalArgumentException(
                    "a part of an archive has %d bytes, expected at least %d"
                            .formatted(encoded.length, HEADER));
        }
        String name = new String(encoded, 0, NAME_LENGTH, StandardCharsets.US_ASCII);
        ByteBuffer all = ByteBuffer.wrap(encoded).position(NAME_LENGTH);
        var part = new ArchivePart(name, all.getLong(), all.getLong(), all.slice());
        if (!name.matches(NAME)
                || part.offset < 0
                || part.length - part.offset < part.bytes.remaining()) {
            throw new IllegalArgumentException(
                    "a part of an archive from byte %d of %d is not valid"
                            .formatted(part.offset, part.length));
        }
        return part;
    }
}
