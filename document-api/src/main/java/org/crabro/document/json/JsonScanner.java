package org.crabro.document.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.crabro.tensor.DecimalNumbers;
import org.crabro.tensor.DigitWords;
import org.crabro.text.EightBytes;

/**
 * A cursor over the bytes of JSON in its common forms. Every other form ends in an {@link
 * UncommonFormException}; the caller then parses the bytes with a complete JSON parser, which
 * reports errors. For one thread.
 */
public final class JsonScanner {
    /** Thrown for every form that is not common. It is expected, so it has no stack trace. */
    public static final class UncommonFormException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private UncommonFormException() {
            super("an uncommon form", null, false, false);
        }
    }

    /** Every number of this many digits is below 2^63. */
    private static final int DIGITS_MAX = 18;

    private static final byte[] TRUE = "true".getBytes(StandardCharsets.US_ASCII);

    /** The byte order mark, which some clients send first; UTF-8 needs none. */
    private static final byte[] MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

    private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] FALSE = "false".getBytes(StandardCharsets.US_ASCII);

    /** The last bits of a double that is halfway between two floats. */
    private static final long BETWEEN_FLOATS = 0x1000_0000L;

    private static final long BEHIND_FLOATS = 0x1fff_ffffL;

    /** A longer number is left to the complete parser, which may reject it. */
    private static final int NUMBER_LENGTH_MAX = 1_000;

    /** Larger exponents have the same effect as this one. */
    private static final int EXPONENT_MAX = 100_000;

    /** A longer name, in bytes, is left to the complete parser, which may reject it. */
    private static final int NAME_LENGTH_MAX = 50_000;

    /** A sign, a digit, a point, two words of digits, and the byte after the number. */
    private static final int SHORT_NUMBER_BYTES = 3 + 2 * Long.BYTES + 1;

    private static final int INFINITE_FLOAT = 0x7f80_0000;

    private static final VarHandle INTS =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private final UncommonFormException uncommon = new UncommonFormException();
    private byte[] bytes = new byte[0];
    private int at;
    private int to;

    /** Whether a line end is a blank, as in JSON; otherwise it ends the input. */
    private boolean spansLines;

    private boolean isStrict;

    /** Creates a scanner, which is opened before it is used. */
    public JsonScanner() {}

    /** Sets whether only {@code true} and {@code false} are read as a bool. */
    public void setStrict(boolean strict) {
        isStrict = strict;
    }

    /** Starts at the first of some bytes. The input ends with the line. */
    public void open(byte[] json, int from, int end) {
        bytes = json;
        boolean isMarked =
                end - from >= MARK.length
                        && Arrays.equals(json, from, from + MARK.length, MARK, 0, MARK.length);
        at = isMarked ? from + MARK.length : from;
        to = end;
        spansLines = false;
    }

    /** Starts at the first of some bytes. The input may have many lines. */
    public void openLines(byte[] json, int from, int end) {
        open(json, from, end);
        spansLines = true;
    }

    /** Returns the count of bytes from the position on. */
    public int left() {
        return to - at;
    }

    /** Returns the index after the last byte. */
    public int end() {
        return to;
    }

    /** Returns the bytes that are scanned. */
    public byte[] bytes() {
        return bytes;
    }

    /** Returns the position. */
    public int at() {
        return at;
    }

    /** Skips blanks, and returns whether the line or the input ends here. */
    public boolean isAtLineEnd() {
        while (at < to && isBlank(bytes[at])) {
            at++;
        }
        return at == to || bytes[at] == '\n';
    }

    private boolean isBlank(byte b) {
        return b == ' ' || b == '\t' || b == '\r' || (b == '\n' && spansLines);
    }

    /** Returns the exception for a form that is not common. */
    public UncommonFormException uncommon() {
        return uncommon;
    }

    /** Skips blanks, and returns the next byte without skipping it. */
    public int next() {
        while (at < to) {
            byte b = bytes[at];
            if (b > ' ' || !isBlank(b)) {
                return b;
            }
            at++;
        }
        throw uncommon;
    }

    /** Skips blanks and one byte, which must be {@code expected}. */
    public void expect(char expected) {
        if (next() != expected) {
            throw uncommon;
        }
        at++;
    }

    /** Skips blanks, and one byte if it is {@code possible}. Returns whether it was. */
    public boolean passes(char possible) {
        if (next() != possible) {
            return false;
        }
        at++;
        return true;
    }

    /** Skips blanks, and {@code word} if it comes next. Returns whether it did. */
    public boolean passes(byte[] word) {
        next();
        int end = at + word.length;
        if (end > to || !Arrays.equals(bytes, at, end, word, 0, word.length)) {
            return false;
        }
        at = end;
        return true;
    }

    /**
     * Skips a string of ASCII characters without escapes, and returns the index of its closing
     * quote. If the string contains anything else, returns -1 and stays at the opening quote.
     */
    public int plainString() {
        expect('"');
        int end = asciiEnd();
        if (end >= to || bytes[end] != '"') {
            at--;
            return -1;
        }
        at = end + 1;
        return end;
    }

    /** Skips a string, and returns the index of its closing quote. */
    int string() {
        return string(true);
    }

    private int string(boolean mayHaveHalves) {
        int plainEnd = plainString();
        if (plainEnd >= 0) {
            return plainEnd;
        }
        int end = JsonStrings.end(bytes, at + 1, to, mayHaveHalves);
        if (end < 0) {
            throw uncommon;
        }
        at = end + 1;
        return end;
    }

    /** Skips blanks, and returns whether a string comes next. */
    public boolean isAtString() {
        return next() == '"';
    }

    /** Reads a string. */
    public String text() {
        next();
        int from = at + 1;
        int plainEnd = plainString();
        return plainEnd >= 0
                ? new String(bytes, from, plainEnd - from, StandardCharsets.ISO_8859_1)
                : JsonStrings.text(bytes, from, string());
    }

    private String textSince(int from) {
        return new String(bytes, from, at - from, StandardCharsets.ISO_8859_1);
    }

    /** Sets the position. */
    public void moveTo(int place) {
        at = place;
    }

    /**
     * Reads a bool, or a string with its name in any case. If this is not {@linkplain #setStrict
     * strict}, every other string and every number is read as false.
     */
    public boolean truth() {
        if (isAtString()) {
            String text = text();
            boolean isTrue = text.equalsIgnoreCase("true");
            if (isStrict && !isTrue && !text.equalsIgnoreCase("false")) {
                throw uncommon;
            }
            return isTrue;
        }
        if (isStrict || next() == 't' || next() == 'f') {
            return trueOrFalse();
        }
        number();
        return false;
    }

    /** Skips blanks, and {@code null} if it comes next. Returns whether it did. */
    public boolean passesNull() {
        return passes(NULL);
    }

    /** Skips a number or a bool, not a string. */
    public void passNumberOrBool() {
        if (!passes(TRUE) && !passes(FALSE)) {
            number();
        }
    }

    /** Reads {@code true} or {@code false}, not a string. */
    public boolean trueOrFalse() {
        boolean isTrue = passes(TRUE);
        if (!isTrue && !passes(FALSE)) {
            throw uncommon;
        }
        return isTrue;
    }

    /** Skips the name of a member, and returns the index of its closing quote. */
    int name() {
        next();
        int from = at;
        int end = string(false);
        checkName(from);
        return end;
    }

    /** Rejects the name between {@code from} and the position if it is too long. */
    public void checkName(int from) {
        if (at - from > NAME_LENGTH_MAX) {
            throw uncommon;
        }
    }

    /**
     * Returns the index of the next byte that is not plain text: a quote, an escape, or not ASCII.
     */
    private int asciiEnd() {
        int i = at;
        for (; i + Long.BYTES <= to; i += Long.BYTES) {
            long special = PlainText.special(EightBytes.of(bytes, i));
            if (special != 0) {
                return i + EightBytes.firstHigh(special);
            }
        }
        for (; i < to; i++) {
            byte b = bytes[i];
            if (b < ' ' || b == '"' || b == '\\') {
                return i;
            }
        }
        return i;
    }

    /** Reads a whole number of few digits. */
    public long wholeNumber() {
        boolean isNegative = next() == '-';
        int from = isNegative ? at + 1 : at;
        int i = from;
        long value = 0;
        while (i < to && bytes[i] >= '0' && bytes[i] <= '9') {
            value = 10 * value + (bytes[i] - '0');
            i++;
        }
        int digits = i - from;
        if (digits == 0 || digits > DIGITS_MAX + 1 || (digits > 1 && bytes[from] == '0')) {
            throw uncommon;
        }
        int begin = at;
        at = i;
        expectNumberEnd();
        if (digits > DIGITS_MAX) {
            return whole(textSince(begin), Long.MIN_VALUE, Long.MAX_VALUE);
        }
        return isNegative ? -value : value;
    }

    private long whole(String text, long least, long most) {
        try {
            return NumberText.parseWhole(text, least, most);
        } catch (NumberFormatException _) {
            throw uncommon;
        }
    }

    /** Reads a whole number that is written as one, or is the text of a string. */
    public long wholeNumber(long least, long most) {
        if (isAtString()) {
            return whole(text(), least, most);
        }
        long value = wholeNumber();
        if (value < least || value > most) {
            throw uncommon;
        }
        return value;
    }

    private void expectNumberEnd() {
        if (at >= to || !isBehindNumber(bytes[at])) {
            throw uncommon;
        }
    }

    private boolean isBehindNumber(byte b) {
        return b == ',' || b == ']' || b == '}' || isBlank(b);
    }

    /** Returns the count of leading zeros from {@code from} on. */
    private int leadingZeros(int from) {
        int zeros = 0;
        for (int i = from; bytes[i] == '0' || bytes[i] == '.'; i++) {
            zeros += bytes[i] == '0' ? 1 : 0;
        }
        return zeros;
    }

    /** Reads a number, or a string with a number, as the nearest double. */
    public double anyDouble() {
        if (!isAtString()) {
            return number();
        }
        try {
            return NumberText.parseDouble(text());
        } catch (NumberFormatException _) {
            throw uncommon;
        }
    }

    /** Reads a number, or a string with a number, as the nearest float. */
    public float anyFloat() {
        boolean isText = isAtString();
        int begin = at;
        if (!isText) {
            double value = number();
            if (value == 0 && bytes[begin] == '-') {
                return -0.0f;
            }
            boolean isRoundedTwice =
                    (Double.doubleToRawLongBits(value) & BEHIND_FLOATS) == BETWEEN_FLOATS
                            || (value != 0 && Math.abs(value) < Float.MIN_NORMAL);
            if (!isRoundedTwice) {
                return (float) value;
            }
        }
        try {
            return NumberText.parseFloat(isText ? text() : textSince(begin));
        } catch (NumberFormatException _) {
            throw uncommon;
        }
    }

    /** Reads a number as the nearest double. */
    double number() {
        next();
        return at + SHORT_NUMBER_BYTES <= to ? maybeShortNumber() : anyNumber();
    }

    /**
     * Reads a number of one digit, a point and up to fifteen digits, the usual form of embeddings.
     * It has few branches, because the processor cannot predict signs and lengths of numbers. Other
     * numbers go to {@link #anyNumber}.
     */
    private double maybeShortNumber() {
        int sign = bytes[at] == '-' ? 1 : 0;
        int whole = bytes[at + sign] - '0';
        int point = at + sign + 1;
        if (whole < 0 || whole > 9 || bytes[point] != '.') {
            return anyNumber();
        }
        long first = EightBytes.of(bytes, point + 1);
        int count = DigitWords.leadingDigits(first);
        long digits;
        if (count < Long.BYTES) {
            digits = DigitWords.decimal(DigitWords.lastOnly(first, count));
        } else {
            long second = EightBytes.of(bytes, point + 1 + Long.BYTES);
            int more = DigitWords.leadingDigits(second);
            digits =
                    DigitWords.decimal(first) * DigitWords.tens(more)
                            + DigitWords.decimal(DigitWords.lastOnly(second, more));
            count += more;
        }
        digits += whole * DigitWords.tens(count);
        int end = point + 1 + count;
        if (count == 0
                || digits > DecimalNumbers.EXACT_MAX
                || (digits == 0 && sign != 0)
                || !isBehindNumber(bytes[end])) {
            return anyNumber();
        }
        at = end;
        double value = DecimalNumbers.quotient(digits, count);
        return sign == 0 ? value : -value;
    }

    /**
     * Reads numbers as little-endian floats into {@code target}, while each is of one digit, a
     * point and up to fifteen digits, followed by a comma. Returns their count.
     *
     * @param begin the offset of the first float in {@code target}
     * @param most their count at most
     */
    public int floats(byte[] target, int begin, int most) {
        byte[] json = bytes;
        int into = begin;
        int end = begin + Float.BYTES * most;
        int i = at;
        int last = to - SHORT_NUMBER_BYTES - 1;
        // The loop uses local variables only: with fields, each number would wait for a store.
        while (into < end && i <= last) {
            int sign = json[i] == '-' ? 1 : 0;
            int whole = json[i + sign] - '0';
            int behind = i + sign + 2;
            if (whole < 0 || whole > 9 || json[behind - 1] != '.') {
                break;
            }
            long first = EightBytes.of(json, behind);
            int count = DigitWords.leadingDigits(first);
            long digits;
            if (count < Long.BYTES) {
                digits = DigitWords.decimal(DigitWords.lastOnly(first, count));
            } else {
                long second = EightBytes.of(json, behind + Long.BYTES);
                int more = DigitWords.leadingDigits(second);
                digits =
                        DigitWords.decimal(first) * DigitWords.tens(more)
                                + DigitWords.decimal(DigitWords.lastOnly(second, more));
                count += more;
            }
            digits += whole * DigitWords.tens(count);
            behind += count;
            boolean isLeft =
                    count == 0 || digits > DecimalNumbers.EXACT_MAX || (digits == 0 && sign != 0);
            if (isLeft || json[behind] != ',') {
                break;
            }
            int bits = Float.floatToRawIntBits((float) DecimalNumbers.quotient(digits, count));
            INTS.set(target, into, bits ^ (sign << (Integer.SIZE - 1)));
            into += Float.BYTES;
            i = json[behind + 1] == ' ' ? behind + 2 : behind + 1;
        }
        at = i;
        return (into - begin) / Float.BYTES;
    }

    /**
     * Reads floats that are written as a string of hexadecimal digits into {@code target}, in
     * little-endian order. If the string has another form, returns false and stays at its quote.
     *
     * @param begin the offset of the first float in {@code target}
     */
    public boolean hexFloats(byte[] target, int begin, int count) {
        expect('"');
        int from = at;
        int end = from + 2 * Float.BYTES * count;
        if (end >= to || bytes[end] != '"') {
            at--;
            return false;
        }
        byte[] json = bytes;
        int into = begin;
        long wrong = 0;
        for (int i = from; i < end; i += Long.BYTES) {
            long eight = EightBytes.of(json, i);
            int bits = ByteWords.hex(eight);
            // The complete parser decides which NaN is stored.
            int noNumber = INFINITE_FLOAT - (bits & Integer.MAX_VALUE);
            wrong |= ByteWords.notHex(eight) | (noNumber & Integer.MIN_VALUE);
            INTS.set(target, into, bits);
            into += Float.BYTES;
        }
        if (wrong != 0) {
            at--;
            return false;
        }
        at = end + 1;
        return true;
    }

    private double anyNumber() {
        int from = at;
        int i = at;
        boolean isNegative = bytes[i] == '-';
        if (isNegative) {
            i++;
        }
        long digits = 0;
        int first = i;
        while (i < to && bytes[i] >= '0' && bytes[i] <= '9') {
            digits = 10 * digits + (bytes[i] - '0');
            i++;
        }
        int count = i - first;
        if (count == 0 || (count > 1 && bytes[first] == '0')) {
            throw uncommon;
        }
        int exponent = 0;
        int wholeEnd = i;
        if (i < to && bytes[i] == '.') {
            int point = ++i;
            while (i + Long.BYTES <= to) {
                long eight = EightBytes.of(bytes, i);
                if (!DigitWords.areDigits(eight)) {
                    break;
                }
                digits = 100_000_000 * digits + DigitWords.decimal(eight);
                i += Long.BYTES;
            }
            while (i < to && bytes[i] >= '0' && bytes[i] <= '9') {
                digits = 10 * digits + (bytes[i] - '0');
                i++;
            }
            if (i == point) {
                throw uncommon;
            }
            exponent = point - i;
            count += i - point;
        }
        if (i < to && (bytes[i] == 'e' || bytes[i] == 'E')) {
            i++;
            boolean isDown = i < to && bytes[i] == '-';
            if (i < to && (bytes[i] == '-' || bytes[i] == '+')) {
                i++;
            }
            int start = i;
            int written = 0;
            while (i < to && bytes[i] >= '0' && bytes[i] <= '9') {
                written = Math.min(EXPONENT_MAX, 10 * written + (bytes[i] - '0'));
                i++;
            }
            if (i == start) {
                throw uncommon;
            }
            exponent += isDown ? -written : written;
        }
        at = i;
        expectNumberEnd();
        if (i - from > NUMBER_LENGTH_MAX) {
            throw uncommon;
        }
        if (count == 1 && digits == 0 && i == wholeEnd) {
            // A whole number 0 has no sign.
            return 0;
        }
        if (count > DIGITS_MAX) {
            count -= leadingZeros(first);
        }
        double value = Double.NaN;
        if (count <= DecimalNumbers.DIGITS_MAX) {
            value = DecimalNumbers.nearest(digits, exponent);
        }
        if (Double.isNaN(value)) {
            return Double.parseDouble(textSince(from));
        }
        return isNegative ? -value : value;
    }
}
