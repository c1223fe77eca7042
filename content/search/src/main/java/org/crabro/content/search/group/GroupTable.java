package org.crabro.content.search.group;

import java.util.Arrays;

/**
 * The groups of a list, numbered from 0. Each has a key and belongs to a group of the parent list.
 * For one thread.
 */
final class GroupTable {
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    private long[] keys = new long[16];

    /** The number of the parent group; its complement for the group of missing values. */
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

    /** Returns the group of the parent list to which a group belongs. */
    int parent(int group) {
        return parents[group] < 0 ? ~parents[group] : parents[group];
    }

    /** Returns whether this is the group of missing values. */
    boolean isMissing(int group) {
        return parents[group] < 0;
    }

    /** Returns the group of a key. Creates it if necessary. */
    int find(int parent, long key) {
        return find(key, parent);
    }

    /** Returns the group of missing values. Creates it if necessary. */
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
