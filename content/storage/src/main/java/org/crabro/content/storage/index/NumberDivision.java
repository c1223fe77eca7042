package org.crabro.content.storage.index;

/**
 * Divides ranges of whole numbers into few parts, so that a number is in a range if it has a part
 * in common with it. A number has few parts too.
 *
 * <p>The numbers from 0 on are divided into blocks of 8, of 64, and so on. Negative ones are
 * divided in the same way, as if -1 were 0 and -2 were 1. So ranges of small numbers have few
 * parts.
 */
final class NumberDivision {
    /** A block has 2 to this power blocks of the next smaller size. */
    private static final int BITS = 3;

    /** The largest blocks have 8 to this power numbers, and so has the largest limit. */
    static final int LEVELS = 20;

    private static final long LAST = (1L << BITS) - 1;

    private NumberDivision() {}

    /** Receives the parts of a range or of a number. */
    interface Parts {
        /**
         * Some numbers in a block of 8.
         *
         * @param isNegative whether the numbers are below 0
         * @param block counted from 0
         * @param first the first number, counted from the beginning of the block
         * @param last the last number
         */
        void edge(boolean isNegative, long block, int first, int last);

        /**
         * A block.
         *
         * @param level it has 8 to this power numbers, from 1 to {@link #LEVELS}
         */
        void block(boolean isNegative, int level, long block);

        /**
         * All numbers from a limit on.
         *
         * @param level the limit is 8 to this power, and 0 for level 0
         */
        void beyond(boolean isNegative, int level);
    }

    /** Divides a range, ends included. An empty one has no parts. */
    static void ofRange(long low, long high, Parts into) {
        if (high >= 0) {
            divide(false, Math.max(low, 0), high, into);
        }
        if (low < 0) {
            divide(true, ~Math.min(high, -1), ~low, into);
        }
    }

    /**
     * Passes on the parts of a number. A range has exactly one of them if it contains the number,
     * and none otherwise. The edge of a number contains this number only.
     */
    static void ofNumber(long number, Parts into) {
        boolean isNegative = number < 0;
        long size = isNegative ? ~number : number;
        int inBlock = (int) (size & LAST);
        into.edge(isNegative, size >>> BITS, inBlock, inBlock);
        into.beyond(isNegative, 0);
        for (int level = 1; level <= LEVELS; level++) {
            into.block(isNegative, level, size >>> (BITS * level));
            if (size >= size(level)) {
                into.beyond(isNegative, level);
            }
        }
    }

    private static long size(int level) {
        return 1L << (BITS * level);
    }

    /**
     * Divides a range.
     *
     * @param first at least 0
     */
    private static void divide(boolean isNegative, long first, long last, Parts into) {
        long end = last;
        if (last == Long.MAX_VALUE && first <= size(LEVELS)) {
            int level = first == 0 ? 0 : 1;
            while (level > 0 && size(level) < first) {
                level++;
            }
            into.beyond(isNegative, level);
            end = level == 0 ? -1 : size(level) - 1;
        }
        long next = first;
        while (next <= end) {
            int level = 0;
            while (level < LEVELS && isFree(next, end, size(level + 1) - 1)) {
                level++;
            }
            long to = level == 0 ? Math.min(next | LAST, end) : next + size(level) - 1;
            if (level == 0) {
                into.edge(isNegative, next >>> BITS, (int) (next & LAST), (int) (to & LAST));
            } else {
                into.block(isNegative, level, next >>> (BITS * level));
            }
            if (to == end) {
                return;
            }
            next = to + 1;
        }
    }

    /** Returns whether a block begins at {@code next}, and ends at {@code end} or before. */
    private static boolean isFree(long next, long end, long lastInBlock) {
        return (next & lastInBlock) == 0 && end - next >= lastInBlock;
    }
}
