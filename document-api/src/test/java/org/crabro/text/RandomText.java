package org.crabro.text;

import java.util.Random;

/** Texts of characters that matter to the analysis, and of any others. */
final class RandomText {
    private static final String LIKELY =
            "abcXYZ019 .,-_\n\u00e4\u00c5\u00f6\u00df\u00fc\u00e9\u0141\u0132\u1ea4\u1e9e\u01c7"
                    + "a\u0308o\u0308e\u0301\u030a\u0308\u0301\u65e5\u672c\u30c6\uff21\uff71\uff9e"
                    + "\u03a3\u03c2\u0416\u0438\u0306\u212b\u0130\u023a";

    private RandomText() {}

    static String of(Random random, int length) {
        var text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            if (random.nextInt(4) > 0) {
                text.append(LIKELY.charAt(random.nextInt(LIKELY.length())));
            } else {
                text.appendCodePoint(anyCodePoint(random));
            }
        }
        return text.toString();
    }

    private static int anyCodePoint(Random random) {
        int bound = random.nextBoolean() ? 0x2000 : Character.MAX_CODE_POINT + 1;
        int codePoint = random.nextInt(bound);
        return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE
                ? 'z'
                : codePoint;
    }
}
