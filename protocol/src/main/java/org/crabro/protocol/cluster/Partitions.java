package org.crabro.protocol.cluster;

/**
 * The assignment of documents to partitions, by the low bits of their location.
 *
 * @param bits 0 to 16; there are 2 to the power of {@code bits} partitions
 */
public record Partitions(int bits) {
    /** The default of a node: 16 partitions. */
    public static final Partitions DEFAULT = new Partitions(4);

    public Partitions {
        if (bits < 0 || bits > 16) {
            throw new IllegalArgumentException("bits is " + bits);
        }
    }

    /** Returns the number of partitions. */
    public int count() {
        return 1 << bits;
    }

    /** Returns the partition, from 0, of documents at {@code location}. */
    public int of(long location) {
        return (int) location & (count() - 1);
    }
}
