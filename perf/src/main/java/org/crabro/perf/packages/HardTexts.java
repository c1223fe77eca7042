package org.crabro.perf.packages;

import java.util.ArrayList;
import java.util.function.IntFunction;

/** Parts of files that are as large as files may be. */
final class HardTexts {
    /** No file is larger. */
    static final int SIZE = 100 << 10;

    private HardTexts() {}

    /** Returns the number of parts that fit into a file. */
    static String many(IntFunction<String> part) {
        return many(part, SIZE - 2_000);
    }

    /** Returns the number of parts that fit into {@code size} characters. */
    static String many(IntFunction<String> part, int size) {
        var text = new StringBuilder();
        for (int i = 0; ; i++) {
            String next = part.apply(i);
            if (text.length() + next.length() > size) {
                return text.toString();
            }
            text.append(next);
        }
    }

    /** The same with commas between them. */
    static String commas(IntFunction<String> part, int size) {
        var parts = new ArrayList<String>();
        for (int i = 0, length = 0; length < size; i++) {
            parts.add(part.apply(i));
            length += parts.getLast().length() + 2;
        }
        return String.join(", ", parts.subList(0, parts.size() - 1));
    }

    /** Returns {@code middle} with as much around it as a file may hold. */
    static String nested(String open, String middle, String close) {
        int depth = (SIZE - 2_000 - middle.length()) / (open.length() + close.length());
        return open.repeat(depth) + middle + close.repeat(depth);
    }
}
