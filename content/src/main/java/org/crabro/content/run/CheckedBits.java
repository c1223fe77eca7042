package org.crabro.content.run;

/**
 * Notes of what was checked since a file was mapped, a bit each. Threads may note things at once:
 * what is lost is a check done twice.
 */
final class CheckedBits {
    // Not longs, which might be written in two halves.
    private final int[] bits;

    CheckedBits(long count) {
        this.bits = new int[Math.toIntExact((count + Integer.SIZE - 1) / Integer.SIZE)];
    }

    boolean has(int index) {
        return (bits[index >>> 5] >>> index & 1) != 0;
    }

    void set(int index) {
        bits[index >>> 5] |= 1 << index;
    }
}
