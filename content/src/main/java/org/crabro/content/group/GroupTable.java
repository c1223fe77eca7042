package org.crabro.content.group;

import java.util.Arrays;

/**
 * The groups of a list, numbered from 0: each has a key and is a part of a group of the list above.
 * For one thread.
 */
final class GroupTable {
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    private long[] keys = new long[16];

    /** The complement of the number where the group is that of no value. */
    private int[] parents = new int[16];

    private int[] slots = new int[64];
    private int size;

    GroupTable() {
        Arrays.fill(slots, -1);
    }

    int size() {
        return size;
    }

    long key(int group) {
        return keys[group];
    }

    /** Returns which group of the list above it is a part of. */
    int parent(int group) {
        return parents[group] < 0 ? ~parents[group] : parents[group];
    }

    /** Returns whether it is the group of no value. */
    boolean isMissing(int group) {
        return parents[group] < 0;
    }

    /** Returns the group of a key, a new one where there was none. */
    int find(int parent, long key) {
        return find(key, parent);
    }

    /** Returns the group of no value. */
    int findMissing(int parent) {
        return find(0L, ~parent);
    }

    private int find(long key, int parent) {
        int mask = slots.length - 1;
        int slot = hash(key, parent) & mask;
        while (slots[slot] >= 0) {
            int group = slots[slot];
            if (keys[group] == key && parents[group] == parent) {
                return group;
            }
            slot = (slot + 1) & mask;
        }
        return add(key, parent, slot);
    }

    private int add(long key, int parent, int slot) {
        if (size == keys.length) {
            keys = Arrays.copyOf(keys, size * 2);
            parents = Arrays.copyOf(parents, size * 2);
        }
        int group = size++;
        keys[group] = key;
        parents[group] = parent;
        slots[slot] = group;
        if (size * 2 > slots.length) {
            grow();
        }
        return group;
    }

    private void grow() {
        slots = new int[slots.length * 2];
        Arrays.fill(slots, -1);
        int mask = slots.length - 1;
        for (int group = 0; group < size; group++) {
            int slot = hash(keys[group], parents[group]) & mask;
            while (slots[slot] >= 0) {
                slot = (slot + 1) & mask;
            }
            slots[slot] = group;
        }
    }

    private static int hash(long key, int parent) {
        long hash = (key + parent * MULTIPLIER) * MULTIPLIER;
        return (int) (hash >>> 32);
    }

    long byteSize() {
        return 8L * keys.length + 4L * parents.length + 4L * slots.length;
    }
}
