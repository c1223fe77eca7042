package org.crabro.container.json;

import org.crabro.document.LegalText;
import org.crabro.protocol.encoding.RowAssembly;

/** Reads JSON strings into rows, as unescaped UTF-8, or as text; or skips them. */
final class JsonStrings {
    private static final int UNCOMMON = -1;

    /** A backslash, a letter and four digits. */
    private static final int UNIT_BYTES = 6;

    private JsonStrings() {}

    /**
     * Puts the text of a string, and returns the index of its closing quote; -1 if there is none
     * before {@code to}, or if the text may not be stored.
     *
     * @param from the index after the opening quote
     * @param isAny whether the string may contain characters that documents may not contain
     */
    static int put(RowAssembly row, byte[] bytes, int from, int to, boolean isAny) {
        int at = from;
        while (at >= 0) {
            at = row.putPlain(bytes, at, to);
            if (at >= to) {
                return UNCOMMON;
            }
            byte b = bytes[at];
            if (b == '"') {
                return at;
            }
            if (b == '\\') {
                at = putEscaped(row, bytes, at, to, isAny);
            } else if (b < 0) {
                at = putUtf8(row, bytes, at, to, isAny);
            } else {
                return UNCOMMON;
            }
        }
        return UNCOMMON;
    }

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
    private static int length(byte[] bytes, int at, int codePoint) {
        if (bytes[at] < 0) {
            return utf8Length(bytes[at] & 0xff);
        }
        if (bytes[at] != '\\') {
            return 1;
        }
        return bytes[at + 1] != 'u' ? 2 : UNIT_BYTES * Character.charCount(codePoint);
    }

    private static int escaped(byte[] bytes, int at, int to) {
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

    private static int putEscaped(RowAssembly row, byte[] bytes, int at, int to, boolean isAny) {
        int codePoint = escaped(bytes, at, to);
        if (codePoint < 0 || !isPut(codePoint, isAny)) {
            return UNCOMMON;
        }
        putCodePoint(row, codePoint);
        return at + length(bytes, at, codePoint);
    }

    /** An unpaired surrogate has no encoding in UTF-8. */
    private static boolean isPut(int codePoint, boolean isAny) {
        return isAny ? !isSurrogate(codePoint) : LegalText.isLegal(codePoint);
    }

    private static boolean isSurrogate(int codePoint) {
        return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    }

    private static void putCodePoint(RowAssembly row, int codePoint) {
        if (codePoint < 0x80) {
            row.putByte(codePoint);
        } else if (codePoint < 0x800) {
            row.putByte(0xc0 | (codePoint >> 6));
            row.putByte(0x80 | (codePoint & 0x3f));
        } else if (codePoint < 0x1_0000) {
            row.putByte(0xe0 | (codePoint >> 12));
            row.putByte(0x80 | ((codePoint >> 6) & 0x3f));
            row.putByte(0x80 | (codePoint & 0x3f));
        } else {
            row.putByte(0xf0 | (codePoint >> 18));
            row.putByte(0x80 | ((codePoint >> 12) & 0x3f));
            row.putByte(0x80 | ((codePoint >> 6) & 0x3f));
            row.putByte(0x80 | (codePoint & 0x3f));
        }
    }

    /** Reads an escape of four hexadecimal digits; -1 if there is none. */
    private static int unit(byte[] bytes, int at, int to) {
        if (at + UNIT_BYTES > to || bytes[at] != '\\' || bytes[at + 1] != 'u') {
            return UNCOMMON;
        }
        int unit = 0;
        for (int i = at + 2; i < at + UNIT_BYTES; i++) {
            int digit = HexDigits.VALUES[bytes[i] & 0xff];
            if (digit < 0) {
                return UNCOMMON;
            }
            unit = (unit << 4) | digit;
        }
        return unit;
    }

    private static int putUtf8(RowAssembly row, byte[] bytes, int at, int to, boolean isAny) {
        int codePoint = utf8(bytes, at, to);
        if (codePoint < 0 || !isPut(codePoint, isAny)) {
            return UNCOMMON;
        }
        int count = utf8Length(bytes[at] & 0xff);
        row.putBytes(bytes, at, count);
        return at + count;
    }

    private static int utf8Length(int lead) {
        return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    }

    private static int utf8(byte[] bytes, int at, int to) {
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
