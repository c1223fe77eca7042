package org.crabro.content.storage.file;

/**
 * One bit per part that was checked since a file was mapped. Threads may write concurrently: a lost
 * update costs a second check.
 */
public final class CheckedBits {
    // Not longs, because a long may be written in two halves.
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
