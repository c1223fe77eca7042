package org.crabro.text;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.BitSet;

/** The characters that NFKC may change, alone or after another one. */
final class CompatibleLetters {
    private static final int FIRST = 0x80;

    /** The end of the planes with such characters. */
    private static final int END = 0x30000;

    private static final BitSet CHANGED = changed();

    private CompatibleLetters() {}

    /** Returns whether a word with this character is to be normalized. */
    static boolean isChanged(int codePoint) {
        return codePoint >= FIRST && CHANGED.get(codePoint);
    }

    /** Returns whether any of the characters is changed. */
    static boolean anyIsChanged(byte[] text, int from, int end) {
        for (int at = from; at < end; ) {
            if (text[at] >= 0) {
                at++;
                continue;
            }
            int decoded = Utf8.decode(text, at, end);
            if (isChanged(Utf8.codePoint(decoded))) {
                return true;
            }
            at += Utf8.length(decoded);
        }
        return false;
    }

    /** Returns a text in NFKC. It allocates memory. */
    static byte[] normalized(byte[] text, int from, int count) {
        var raw = new String(text, from, count, StandardCharsets.UTF_8);
        return Normalizer.normalize(raw, Normalizer.Form.NFKC).getBytes(StandardCharsets.UTF_8);
    }

    private static BitSet changed() {
        var changed = new BitSet(END);
        for (int codePoint = FIRST; codePoint < END; codePoint++) {
            if (!Character.isDefined(codePoint) || isSurrogate(codePoint)) {
                continue;
            }
            String alone = Character.toString(codePoint);
            if (isSecond(codePoint) || !Normalizer.isNormalized(alone, Normalizer.Form.NFKC)) {
                changed.set(codePoint);
            }
        }
        return changed;
    }

    private static boolean isSurrogate(int codePoint) {
        return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    }

    /** Returns whether NFKC may join the character with the one before it. */
    private static boolean isSecond(int codePoint) {
        return (codePoint >= 0x300 && codePoint < 0x370)
                || (codePoint >= 0x653 && codePoint <= 0x655)
                || (codePoint >= 0x1160 && codePoint < 0x1200)
                || codePoint == 0x3099
                || codePoint == 0x309a;
    }
}
