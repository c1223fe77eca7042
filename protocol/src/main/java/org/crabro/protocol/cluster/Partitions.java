package org.crabro.protocol.cluster;

/**
 * How documents are spread over partitions: by the low bits of their location.
 *
 * @param bits 0 to 16; there are 2 to the power of {@code bits} partitions
 */
public record Partitions(int bits) {
    /** What one node uses unless told otherwise: 16 partitions. */
    public static final Partitions DEFAULT = new Partitions(4);

    public Partitions {
        if (bits < 0 || bits > 16) {
            throw new IllegalArgumentException("bits is " + bits);
        }
    }

    /** Returns how many partitions there are. */
    public int count() {
        return 1 << bits;
    }

    /** Returns the partition, from 0, of documents at {@code location}. */
    public int of(long location) {
        return (int) location & (count() - 1);
    }
}
