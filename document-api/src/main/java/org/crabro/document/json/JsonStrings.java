package org.crabro.document.json;

import org.crabro.text.HexDigits;

/** Reads JSON strings as text, one code point after another, or skips them. */
public final class JsonStrings {
    /** The result for bytes that are not in a common form. */
    public static final int UNCOMMON = -1;

    /** A backslash, a letter and four digits. */
    private static final int UNIT_BYTES = 6;

    private JsonStrings() {}

    /**
     * Returns the text of a string.
     *
     * @param from the index after the opening quote
     * @param to the index of the closing quote, as {@link #end} returns it
     */
    static String text(byte[] bytes, int from, int to) {
        var text = new StringBuilder(to - from);
        int at = from;
        while (at < to) {
            int codePoint = codePoint(bytes, at, to);
            text.appendCodePoint(codePoint);
            at += length(bytes, at, codePoint);
        }
        return text.toString();
    }

    /**
     * Returns the index of the closing quote of a string; -1 if there is none before {@code to}, or
     * if the bytes are not valid text.
     *
     * @param from the index after the opening quote
     * @param mayHaveHalves whether unpaired surrogates are accepted, as in values
     */
    static int end(byte[] bytes, int from, int to, boolean mayHaveHalves) {
        int at = from;
        while (at < to && bytes[at] != '"') {
            int codePoint = codePoint(bytes, at, to);
            if (codePoint < 0 || (isSurrogate(codePoint) && !mayHaveHalves)) {
                return UNCOMMON;
            }
            at += length(bytes, at, codePoint);
        }
        return at < to ? at : UNCOMMON;
    }

    /** Returns the code point, or the unpaired surrogate, at this place; -1 if there is none. */
    private static int codePoint(byte[] bytes, int at, int to) {
        byte b = bytes[at];
        if (b < 0) {
            return utf8(bytes, at, to);
        }
        return b == '\\' ? escaped(bytes, at, to) : b < ' ' ? UNCOMMON : b;
    }

    /** Returns the bytes of the code point as it is written here. */
    public static int length(byte[] bytes, int at, int codePoint) {
        if (bytes[at] < 0) {
            return utf8Length(bytes[at] & 0xff);
        }
        if (bytes[at] != '\\') {
            return 1;
        }
        return bytes[at + 1] != 'u' ? 2 : UNIT_BYTES * Character.charCount(codePoint);
    }

    /** Returns the code point, or the unpaired surrogate, of an escape; -1 if it is not one. */
    public static int escaped(byte[] bytes, int at, int to) {
        if (at + 1 >= to) {
            return UNCOMMON;
        }
        return switch (bytes[at + 1]) {
            case '"', '\\', '/' -> bytes[at + 1];
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> escapedUnits(bytes, at, to);
            default -> UNCOMMON;
        };
    }

    private static int escapedUnits(byte[] bytes, int at, int to) {
        int first = unit(bytes, at, to);
        if (first < 0 || !Character.isHighSurrogate((char) first)) {
            return first;
        }
        int low = unit(bytes, at + UNIT_BYTES, to);
        return low >= 0 && Character.isLowSurrogate((char) low)
                ? Character.toCodePoint((char) first, (char) low)
                : first;
    }

    /** Returns whether a code point is a surrogate, which has no encoding in UTF-8. */
    public static boolean isSurrogate(int codePoint) {
        return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    }

    /** Reads an escape of four hexadecimal digits; -1 if there is none. */
    private static int unit(byte[] bytes, int at, int to) {
        if (at + UNIT_BYTES > to || bytes[at] != '\\' || bytes[at + 1] != 'u') {
            return UNCOMMON;
        }
        int unit = 0;
        for (int i = at + 2; i < at + UNIT_BYTES; i++) {
            int digit = HexDigits.value(bytes[i]);
            if (digit < 0) {
                return UNCOMMON;
            }
            unit = (unit << 4) | digit;
        }
        return unit;
    }

    /** Returns the bytes of a code point by the first of them, which is not ASCII. */
    public static int utf8Length(int lead) {
        return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    }

    /** Returns the code point of bytes in UTF-8 that is not ASCII; -1 if they are not valid. */
    public static int utf8(byte[] bytes, int at, int to) {
        int lead = bytes[at] & 0xff;
        int count = utf8Length(lead);
        if (lead < 0xc2 || lead > 0xf4 || at + count > to) {
            return UNCOMMON;
        }
        int codePoint = lead & (0x7f >> count);
        for (int i = 1; i < count; i++) {
            int b = bytes[at + i];
            if ((b & 0xc0) != 0x80) {
                return UNCOMMON;
            }
            codePoint = (codePoint << 6) | (b & 0x3f);
        }
        int least = count == 2 ? 0x80 : count == 3 ? 0x800 : 0x1_0000;
        boolean isCodePoint =
                codePoint >= least
                        && codePoint <= Character.MAX_CODE_POINT
                        && !isSurrogate(codePoint);
        return isCodePoint ? codePoint : UNCOMMON;
    }
}
