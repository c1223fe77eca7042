package org.crabro.document.select;

import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Ids of buckets: the number of used bits in the upper six bits, and the used bits below. */
final class Buckets {
    private static final Pattern TEXT = Pattern.compile("BucketId\\(0x([0-9a-fA-F]{1,16})\\)");
    private static final int BITS_MAX = 58;

    private Buckets() {}

    /** Returns whether {@code outer} contains {@code inner}. */
    static boolean contains(long outer, long inner) {
        int used = used(outer);
        if (used > BITS_MAX || used > used(inner)) {
            return false;
        }
        long mask = (1L << used) - 1;
        return (outer & mask) == (inner & mask);
    }

    /** Returns the number of used bits of a bucket. */
    static int used(long bucket) {
        return (int) (bucket >>> BITS_MAX);
    }

    /** Parses {@code BucketId(0x...)}. */
    static OptionalLong parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        return matcher.matches()
                ? OptionalLong.of(Long.parseUnsignedLong(matcher.group(1), 16))
                : OptionalLong.empty();
    }
}
