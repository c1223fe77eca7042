package org.crabro.content.file;

/**
 * Notes of what was checked since a file was mapped, a bit each. Threads may note things at once:
 * what is lost is a check done twice.
 */
public final class CheckedBits {
    // Not longs, which might be written in two halves.
    private final int[] bits;

    public CheckedBits(long count) {
        this.bits = new int[Math.toIntExact((count + Integer.SIZE - 1) / Integer.SIZE)];
    }

    public boolean has(int index) {
        return (bits[index >>> 5] >>> index & 1) != 0;
    }

    public void set(int index) {
        bits[index >>> 5] |= 1 << index;
    }
}
