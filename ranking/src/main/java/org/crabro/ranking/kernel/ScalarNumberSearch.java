package org.crabro.ranking.kernel;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** One number at a time, without a branch that depends on it. */
final class ScalarNumberSearch implements NumberSearch {
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    @Override
    public int find(
            MemorySegment numbers, int width, int from, int to, int low, int high, int[] into) {
        return switch (width) {
            case 1 -> bytes(numbers, from, to, low, high, into, 0);
            case 2 -> shorts(numbers, from, to, low, high, into, 0);
            case 4 -> ints(numbers, from, to, low, high, into, 0);
            default -> throw new IllegalArgumentException("numbers of " + width + " bytes");
        };
    }

    static int bytes(
            MemorySegment numbers, int from, int to, int low, int high, int[] into, int hits) {
        int count = hits;
        for (int i = from; i < to; i++) {
            int number = numbers.get(ValueLayout.JAVA_BYTE, i) & 0xff;
            into[count] = i;
            count += (number >= low ? 1 : 0) & (number <= high ? 1 : 0);
        }
        return count;
    }

    static int shorts(
            MemorySegment numbers, int from, int to, int low, int high, int[] into, int hits) {
        int count = hits;
        for (int i = from; i < to; i++) {
            int number = numbers.get(SHORT, (long) i << 1) & 0xffff;
            into[count] = i;
            count += (number >= low ? 1 : 0) & (number <= high ? 1 : 0);
        }
        return count;
    }

    static int ints(
            MemorySegment numbers, int from, int to, int low, int high, int[] into, int hits) {
        int count = hits;
        for (int i = from; i < to; i++) {
            int number = numbers.get(INT, (long) i << 2);
            into[count] = i;
            count += (number >= low ? 1 : 0) & (number <= high ? 1 : 0);
        }
        return count;
    }
}
