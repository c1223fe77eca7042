package org.crabro.content.group;

import java.util.Arrays;

/**
 * The groups of whole numbers that lie near each other, by where they lie: days, hours, years and
 * what else a batch has few of are found without hashing. For one thread.
 */
final class KeyWindow {
    /** The most numbers that it covers. */
    private static final int SIZE_MAX = 1 << 14;

    private static final int UNKNOWN = -1;

    private int[] groups = {};
    private long first;
    private int parent;

    /**
     * Finds the group of each row of a batch, if all of them have one parent and keys that lie near
     * each other.
     *
     * @param table of all groups
     * @param keys of the rows
     * @param parents of the rows
     * @param into receives a group per row
     * @return false if they lie too far from each other; then nothing was found
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

    /* Nearly every batch is of known groups: whether it was is looked at behind the loop. */
    private boolean lookUp(long[] keys, int[] parents, int count, int[] into) {
        int[] known = groups;
        int mask = known.length - 1;
        if (mask < 0) {
            return false;
        }
        long outside = 0;
        int unknown = 0;
        for (int i = 0; i < count; i++) {
            long place = keys[i] - first;
            int group = known[(int) place & mask];
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

    /* What it covers stays as it is while batches fit, and is no larger than a batch is worth. */
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
