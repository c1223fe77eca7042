package org.crabro.server.cluster;

import java.nio.ByteBuffer;

/**
 * What a config server has in place of the entries that its log has forgotten.
 *
 * @param term of the last forgotten entry
 * @param index of that entry
 * @param bytes the record of the cluster after it
 */
record LogSnapshot(long term, long index, ByteBuffer bytes) {
    private static final int HEADER = 2 * Long.BYTES;

    static LogSnapshot of(long term, long index, byte[] content) {
        return new LogSnapshot(term, index, ByteBuffer.wrap(content));
    }

    /** Returns term and index with eight bytes each, then the bytes. */
    byte[] encode() {
        byte[] encoded = new byte[HEADER + bytes.remaining()];
        ByteBuffer.wrap(encoded).putLong(term).putLong(index).put(bytes.duplicate());
        return encoded;
    }

    /**
     * Decodes a record.
     *
     * @throws IllegalArgumentException if it is too short
     */
    static LogSnapshot decode(byte[] encoded) {
        if (encoded.length <= HEADER) {
            throw new IllegalArgumentException("a record has %d bytes".formatted(encoded.length));
        }
        ByteBuffer all = ByteBuffer.wrap(encoded);
        return new LogSnapshot(all.getLong(), all.getLong(), all.slice());
    }

    byte[] content() {
        byte[] content = new byte[bytes.remaining()];
        bytes.duplicate().get(content);
        return content;
    }
}
