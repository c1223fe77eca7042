package org.crabro.protocol.json;

import org.crabro.document.LegalText;
import org.crabro.document.json.JsonScanner;
import org.crabro.document.json.JsonStrings;
import org.crabro.protocol.encoding.RowAssembly;

/** Puts texts of JSON into rows, unescaped and with their length before them. */
final class TextEncoder {
    private TextEncoder() {}

    /** Puts the text of a string, of a number or of a bool. */
    static void putText(JsonScanner json, RowAssembly row) {
        if (json.isAtString()) {
            putString(json, row);
            return;
        }
        int from = json.at();
        json.passNumberOrBool();
        row.putInt(json.at() - from);
        row.putBytes(json.bytes(), from, json.at() - from);
    }

    /** Puts a string of characters that documents may contain. */
    static void putString(JsonScanner json, RowAssembly row) {
        putString(json, row, false);
    }

    /**
     * Puts a string.
     *
     * @param isAny whether the string may contain characters that documents may not contain
     */
    private static void putString(JsonScanner json, RowAssembly row, boolean isAny) {
        json.expect('"');
        int place = row.putCount();
        int end = put(row, json.bytes(), json.at(), json.end(), isAny);
        if (end < 0) {
            throw json.uncommon();
        }
        json.moveTo(end + 1);
        row.setCount(place, row.sizeSince(place));
    }

    /** Puts the next value as the label of a dimension. A label may contain any character. */
    static void putLabel(JsonScanner json, RowAssembly row) {
        if (json.isAtString()) {
            putString(json, row, true);
            return;
        }
        int from = json.at();
        if (!json.passesNull()) {
            json.passNumberOrBool();
        }
        row.putInt(json.at() - from);
        row.putBytes(json.bytes(), from, json.at() - from);
    }

    /** Puts the name of a member as a label. */
    static void putNamedLabel(JsonScanner json, RowAssembly row) {
        json.next();
        int from = json.at();
        putString(json, row, true);
        json.checkName(from);
    }

    /**
     * Puts the text of a string, and returns the index of its closing quote; -1 if there is none
     * before {@code to}, or if the text may not be stored.
     *
     * @param from the index after the opening quote
     * @param isAny whether the string may contain characters that documents may not contain
     */
    private static int put(RowAssembly row, byte[] bytes, int from, int to, boolean isAny) {
        int at = from;
        while (at >= 0) {
            at = row.putPlain(bytes, at, to);
            if (at >= to) {
                return JsonStrings.UNCOMMON;
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
                return JsonStrings.UNCOMMON;
            }
        }
        return JsonStrings.UNCOMMON;
    }

    private static int putEscaped(RowAssembly row, byte[] bytes, int at, int to, boolean isAny) {
        int codePoint = JsonStrings.escaped(bytes, at, to);
        if (codePoint < 0 || !isPut(codePoint, isAny)) {
            return JsonStrings.UNCOMMON;
        }
        putCodePoint(row, codePoint);
        return at + JsonStrings.length(bytes, at, codePoint);
    }

    private static boolean isPut(int codePoint, boolean isAny) {
        return isAny ? !JsonStrings.isSurrogate(codePoint) : LegalText.isLegal(codePoint);
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

    private static int putUtf8(RowAssembly row, byte[] bytes, int at, int to, boolean isAny) {
        int codePoint = JsonStrings.utf8(bytes, at, to);
        if (codePoint < 0 || !isPut(codePoint, isAny)) {
            return JsonStrings.UNCOMMON;
        }
        int count = JsonStrings.utf8Length(bytes[at] & 0xff);
        row.putBytes(bytes, at, count);
        return at + count;
    }
}
