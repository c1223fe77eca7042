package org.crabro.container.bulk;

import java.util.Arrays;

/**
 * A set of hashes of document ids. Two ids may have the same hash, so a match may be false, and
 * causes a needless wait. A missing match is never false. For one thread at a time.
 */
final class IdHashSet {
    private static final int EMPTY = 0;
    private static final int SLOTS_MIN = 64;

    private int[] slots = {};

    /** The hashes without free slots, for iteration. */
    private int[] hashes = {};

    private int size;

    void add(int hash) {
        if (2 * size >= slots.length) {
            grow();
        }
        int stored = storedHash(hash);
        if (put(slots, stored)) {
            hashes[size++] = stored;
        }
    }

    boolean isEmpty() {
        return size == 0;
    }

    boolean contains(int hash) {
        if (size == 0) {
            return false;
        }
        int stored = storedHash(hash);
        int mask = slots.length - 1;
        for (int at = mixed(stored) & mask; ; at = (at + 1) & mask) {
            if (slots[at] == stored) {
                return true;
            }
            if (slots[at] == EMPTY) {
                return false;
            }
        }
    }

    /** Returns whether both sets contain the same hash. */
    boolean meets(IdHashSet other) {
        if (size > other.size) {
            return other.meets(this);
        }
        for (int i = 0; i < size; i++) {
            if (other.contains(hashes[i])) {
                return true;
            }
        }
        return false;
    }

    private void grow() {
        int[] larger = new int[Math.max(SLOTS_MIN, 4 * slots.length)];
        for (int i = 0; i < size; i++) {
            put(larger, hashes[i]);
        }
        slots = larger;
        hashes = Arrays.copyOf(hashes, larger.length / 2);
    }

    private static boolean put(int[] slots, int stored) {
        int mask = slots.length - 1;
        int at = mixed(stored) & mask;
        while (slots[at] != EMPTY) {
            if (slots[at] == stored) {
                return false;
            }
            at = (at + 1) & mask;
        }
        slots[at] = stored;
        return true;
    }

    private static int storedHash(int hash) {
        return hash == EMPTY ? 1 : hash;
    }

    /** Hashes of texts with a common prefix are close to each other. */
    private static int mixed(int hash) {
        return (int) ((hash * 0x9e37_79b9_7f4a_7c15L) >>> 40);
    }
}
