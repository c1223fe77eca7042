package org.crabro.container.bulk;

import org.crabro.document.LegalText;
import org.crabro.protocol.encoding.RowAssembly;

/** Puts the texts of strings into rows, in UTF-8 and unescaped. */
final class JsonStrings {
    private static final int UNCOMMON = -1;

    /** A backslash, a letter and four digits. */
    private static final int UNIT_BYTES = 6;

    private JsonStrings() {}

    /**
     * Puts the text of a string and returns where its closing quote is; -1 where it has none before
     * {@code to}, or is no text that may be stored.
     *
     * @param from behind the opening quote
     */
    static int put(RowAssembly row, byte[] bytes, int from, int to) {
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
                at = putEscaped(row, bytes, at, to);
            } else if (b < 0) {
                at = putUtf8(row, bytes, at, to);
            } else {
                return UNCOMMON;
            }
        }
        return UNCOMMON;
    }

    private static int putEscaped(RowAssembly row, byte[] bytes, int at, int to) {
        if (at + 1 >= to) {
            return UNCOMMON;
        }
        switch (bytes[at + 1]) {
            case '"', '\\', '/' -> row.putByte(bytes[at + 1]);
            case 'n' -> row.putByte('\n');
            case 'r' -> row.putByte('\r');
            case 't' -> row.putByte('\t');
            case 'u' -> {
                return putCodePoint(row, bytes, at, to);
            }
            default -> {
                return UNCOMMON;
            }
        }
        return at + 2;
    }

    private static int putCodePoint(RowAssembly row, byte[] bytes, int at, int to) {
        int codePoint = unit(bytes, at, to);
        int behind = at + UNIT_BYTES;
        if (codePoint < 0) {
            return UNCOMMON;
        }
        if (Character.isHighSurrogate((char) codePoint)) {
            int low = unit(bytes, behind, to);
            if (low < 0 || !Character.isLowSurrogate((char) low)) {
                return UNCOMMON;
            }
            codePoint = Character.toCodePoint((char) codePoint, (char) low);
            behind += UNIT_BYTES;
        }
        if (!LegalText.isLegal(codePoint)) {
            return UNCOMMON;
        }
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
        return behind;
    }

    /** Reads an escape of four hexadecimal digits; -1 where there is none. */
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

    private static int putUtf8(RowAssembly row, byte[] bytes, int at, int to) {
        int lead = bytes[at] & 0xff;
        int count = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
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
        if (codePoint < least || !LegalText.isLegal(codePoint)) {
            return UNCOMMON;
        }
        row.putBytes(bytes, at, count);
        return at + count;
    }
}
