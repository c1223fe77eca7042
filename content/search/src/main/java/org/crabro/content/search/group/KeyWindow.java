package org.crabro.content.search.group;

import java.util.Arrays;

/**
 * A direct lookup of groups by whole-number keys in a small range, without hashing. It is used for
 * days, hours, years and other keys of which a batch has few different ones. For one thread.
 */
final class KeyWindow {
    /** The maximum size of the range. */
    private static final int SIZE_MAX = 1 << 14;

    private static final int UNKNOWN = -1;

    private int[] groups = {};
    private long first;
    private int parent;

    /**
     * Finds the group of each row of a batch, if all rows have the same parent and their keys are
     * in a small range.
     *
     * @param table of all groups
     * @param keys of the rows
     * @param parents of the rows
     * @param into receives a group per row
     * @return false if the range is too large; then no groups were written
     */
    boolean find(GroupTable table, long[] keys, int[] parents, int count, int[] into) {
        if (lookUp(keys, parents, count, into)) {
            return true;
        }
        if (!moveTo(keys, parents, count)) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            int place = (int) (keys[i] - first);
            if (groups[place] == UNKNOWN) {
                groups[place] = table.find(parent, keys[i]);
            }
            into[i] = groups[place];
        }
        return true;
    }

    /* Nearly every batch has known groups only. So this is checked after the loop. */
    private boolean lookUp(long[] keys, int[] parents, int count, int[] into) {
        int[] cached = groups;
        int mask = cached.length - 1;
        if (mask < 0) {
            return false;
        }
        long outside = 0;
        int unknown = 0;
        for (int i = 0; i < count; i++) {
            long place = keys[i] - first;
            int group = cached[(int) place & mask];
            outside |= place;
            unknown |= group;
            into[i] = group;
        }
        return (outside & ~(long) mask) == 0 && unknown >= 0 && areAll(parents, count, parent);
    }

    private static boolean areAll(int[] parents, int count, int parent) {
        int others = 0;
        for (int i = 0; i < count; i++) {
            others |= parents[i] ^ parent;
        }
        return others == 0;
    }

    /*
     * Moves the range only if a batch does not fit. The range is limited by the size of the batch,
     * because clearing it takes time.
     */
    private boolean moveTo(long[] keys, int[] parents, int count) {
        if (!areAll(parents, count, parents[0])) {
            return false;
        }
        long least = keys[0];
        long greatest = keys[0];
        for (int i = 1; i < count; i++) {
            least = Math.min(least, keys[i]);
            greatest = Math.max(greatest, keys[i]);
        }
        if (parents[0] == parent && covers(least) && covers(greatest)) {
            return true;
        }
        long span = greatest - least;
        if (span < 0 || span >= Math.min(SIZE_MAX, count)) {
            return false;
        }
        parent = parents[0];
        int size = Integer.highestOneBit((int) span + 1) << 2;
        if (size > groups.length) {
            groups = new int[size];
        }
        Arrays.fill(groups, UNKNOWN);
        first = least - (groups.length - span) / 2;
        return true;
    }

    private boolean covers(long key) {
        long place = key - first;
        return place >= 0 && place < groups.length;
    }

    long byteSize() {
        return 4L * groups.length;
    }
}
