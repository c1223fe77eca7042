package org.crabro.content.run;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Compares texts where they lie, as their bytes do: unsigned, a text before those it begins. */
final class KeyTexts {
    private KeyTexts() {}

    static int compare(
            MemorySegment bytes, long from, long to, byte[] text, int textFrom, int textTo) {
        long length = Math.min(to - from, textTo - textFrom);
        for (int i = 0; i < length; i++) {
            int order =
                    Byte.compareUnsigned(
                            bytes.get(ValueLayout.JAVA_BYTE, from + i), text[textFrom + i]);
            if (order != 0) {
                return order;
            }
        }
        return Long.compare(to - from, textTo - textFrom);
    }

    static int compare(
            MemorySegment left,
            long leftFrom,
            long leftTo,
            MemorySegment right,
            long rightFrom,
            long rightTo) {
        long at = MemorySegment.mismatch(left, leftFrom, leftTo, right, rightFrom, rightTo);
        if (at < 0) {
            return 0;
        }
        if (at == leftTo - leftFrom || at == rightTo - rightFrom) {
            return Long.compare(leftTo - leftFrom, rightTo - rightFrom);
        }
        return compareBytes(left, leftFrom + at, right, rightFrom + at);
    }

    /** Compares texts as if {@code end}, which none of them has, stood behind each. */
    static int compareEnded(
            MemorySegment left,
            long leftFrom,
            long leftTo,
            MemorySegment right,
            long rightFrom,
            long rightTo,
            byte end) {
        long at = MemorySegment.mismatch(left, leftFrom, leftTo, right, rightFrom, rightTo);
        if (at < 0) {
            return 0;
        }
        if (at == leftTo - leftFrom) {
            return Byte.compareUnsigned(end, right.get(ValueLayout.JAVA_BYTE, rightFrom + at));
        }
        if (at == rightTo - rightFrom) {
            return Byte.compareUnsigned(left.get(ValueLayout.JAVA_BYTE, leftFrom + at), end);
        }
        return compareBytes(left, leftFrom + at, right, rightFrom + at);
    }

    private static int compareBytes(MemorySegment left, long at, MemorySegment right, long other) {
        return Byte.compareUnsigned(
                left.get(ValueLayout.JAVA_BYTE, at), right.get(ValueLayout.JAVA_BYTE, other));
    }
}
