package org.crabro.container.rows;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.crabro.document.json.NumberText;
import org.crabro.protocol.encoding.PlainText;
import org.crabro.protocol.encoding.RowAssembly;
import org.crabro.tensor.DecimalNumbers;
import org.crabro.tensor.DigitWords;
import org.crabro.text.EightBytes;

/**
 * Goes over the bytes of JSON in its common forms, and says of everything else only that it is
 * something else: then whoever reads all of JSON has the word, and what is wrong is told by that
 * one alone. For one thread.
 */
public final class JsonScanner {
    /** What is thrown for all that is not a common form. Expected, so it has no stack. */
    public static final class UncommonFormException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private UncommonFormException() {
            super("an uncommon form", null, false, false);
        }
    }

    /** The largest count of digits whose number is always below 2^63. */
    private static final int DIGITS_MAX = 18;

    private static final byte[] TRUE = "true".getBytes(StandardCharsets.US_ASCII);

    /** Of no meaning in UTF-8, but some write it before everything. */
    private static final byte[] MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

    static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] FALSE = "false".getBytes(StandardCharsets.US_ASCII);

    /** A double that lies between two floats, as near to one as to the other, ends so. */
    private static final long BETWEEN_FLOATS = 0x1000_0000L;

    private static final long BEHIND_FLOATS = 0x1fff_ffffL;

    /** Nobody writes longer numbers; some are refused, by whoever reads all of JSON. */
    private static final int NUMBER_LENGTH_MAX = 1_000;

    /** An exponent above makes the same of every number as this one. */
    private static final int EXPONENT_MAX = 100_000;

    /** The most bytes of a name; longer ones may be refused, by whoever reads all of JSON. */
    private static final int NAME_LENGTH_MAX = 50_000;

    /** A sign, a digit, a point, two words and what is behind. */
    private static final int SHORT_NUMBER_BYTES = 3 + 2 * Long.BYTES + 1;

    private static final int INFINITE_FLOAT = 0x7f80_0000;

    private static final VarHandle INTS =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private final UncommonFormException uncommon = new UncommonFormException();
    private byte[] bytes = new byte[0];
    private int at;
    private int to;

    /** Whether a line end is a blank, as in JSON, and not the end of all. */
    private boolean spansLines;

    private boolean isStrict;

    /** Says whether a bool is true or false and nothing else. */
    public void setStrict(boolean strict) {
        isStrict = strict;
    }

    /** Goes to the first of some bytes, of which a line is read. */
    public void open(byte[] json, int from, int end) {
        bytes = json;
        boolean isMarked =
                end - from >= MARK.length
                        && Arrays.equals(json, from, from + MARK.length, MARK, 0, MARK.length);
        at = isMarked ? from + MARK.length : from;
        to = end;
        spansLines = false;
    }

    /** Goes to the first of some bytes, which are read to their end on however many lines. */
    void openLines(byte[] json, int from, int end) {
        open(json, from, end);
        spansLines = true;
    }

    /** Returns how many bytes there are from here on. */
    int left() {
        return to - at;
    }

    /** Returns what this goes over. */
    byte[] bytes() {
        return bytes;
    }

    public int at() {
        return at;
    }

    /** Passes over blanks and returns whether the line is over, or all that there is. */
    public boolean isAtLineEnd() {
        while (at < to && isBlank(bytes[at])) {
            at++;
        }
        return at == to || bytes[at] == '\n';
    }

    private boolean isBlank(byte b) {
        return b == ' ' || b == '\t' || b == '\r' || (b == '\n' && spansLines);
    }

    /** Returns what says that something is no common form. */
    public UncommonFormException uncommon() {
        return uncommon;
    }

    /** Passes over blanks, and returns the byte behind them. */
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

    /** Passes over blanks and one byte, which must be {@code expected}. */
    public void expect(char expected) {
        if (next() != expected) {
            throw uncommon;
        }
        at++;
    }

    /** Passes over blanks, and over one byte if it is {@code possible}; returns whether it was. */
    public boolean passes(char possible) {
        if (next() != possible) {
            return false;
        }
        at++;
        return true;
    }

    /** Passes over {@code word} if it stands here; returns whether it did. */
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
     * Passes over a string of ASCII characters without escapes, and returns where it ends; it
     * starts behind the quote where this stood. Stays there and returns -1 where it has others.
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

    /** Passes over a string, and returns where it ends; it starts behind the quote. */
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

    /** Passes over blanks, and returns whether a string begins behind them. */
    boolean isAtString() {
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

    /** Goes back to where this stood. */
    public void backTo(int place) {
        at = place;
    }

    /** Puts the text of a string, of a number or of true or false, with its length before it. */
    void putText(RowAssembly row) {
        if (isAtString()) {
            putString(row);
            return;
        }
        int from = at;
        if (!passes(TRUE) && !passes(FALSE)) {
            number();
        }
        row.putInt(at - from);
        row.putBytes(bytes, from, at - from);
    }

    /**
     * Reads true, also as the text of a string in any case. Every other string, and every number,
     * is false where that is not {@linkplain #setStrict strict}.
     */
    boolean truth() {
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

    /** Reads true or false, and no text that says so. */
    boolean trueOrFalse() {
        boolean isTrue = passes(TRUE);
        if (!isTrue && !passes(FALSE)) {
            throw uncommon;
        }
        return isTrue;
    }

    /** Puts a string that documents may hold, unescaped, with its length before it. */
    void putString(RowAssembly row) {
        putString(row, false);
    }

    /**
     * Puts a string, unescaped, with its length before it.
     *
     * @param isAny whether it may hold characters that strings of documents may not
     */
    private void putString(RowAssembly row, boolean isAny) {
        expect('"');
        int place = row.putCount();
        int end = JsonStrings.put(row, bytes, at, to, isAny);
        if (end < 0) {
            throw uncommon;
        }
        at = end + 1;
        row.setCount(place, row.sizeSince(place));
    }

    /**
     * Puts what stands here as the label of a dimension, which may hold any characters, with its
     * length before it.
     */
    void putLabel(RowAssembly row) {
        if (isAtString()) {
            putString(row, true);
        } else if (passes(NULL)) {
            row.putInt(NULL.length);
            row.putBytes(NULL, 0, NULL.length);
        } else {
            putText(row);
        }
    }

    /** Puts the name of a member as a label. */
    void putNamedLabel(RowAssembly row) {
        next();
        int from = at;
        putString(row, true);
        checkName(from);
    }

    /** Passes over the name of a member, and returns where it ends; it starts behind the quote. */
    int name() {
        next();
        int from = at;
        int end = string(false);
        checkName(from);
        return end;
    }

    /** Refuses a name that began at {@code from} and is behind this if it is too long. */
    void checkName(int from) {
        if (at - from > NAME_LENGTH_MAX) {
            throw uncommon;
        }
    }

    /** Returns where the next byte is that is not plain text: a quote, an escape, no ASCII. */
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
    long wholeNumber() {
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
    long wholeNumber(long least, long most) {
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

    /** Returns how many digits from {@code from} on mean nothing. */
    private int leadingZeros(int from) {
        int zeros = 0;
        for (int i = from; bytes[i] == '0' || bytes[i] == '.'; i++) {
            zeros += bytes[i] == '0' ? 1 : 0;
        }
        return zeros;
    }

    /** Reads the double that is nearest to a number, which may be the text of a string. */
    double anyDouble() {
        if (!isAtString()) {
            return number();
        }
        try {
            return NumberText.parseDouble(text());
        } catch (NumberFormatException _) {
            throw uncommon;
        }
    }

    /** Reads the float that is nearest to a number, which may be the text of a string. */
    float anyFloat() {
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

    /** Reads a number as the double that is nearest to it. */
    double number() {
        next();
        return at + SHORT_NUMBER_BYTES <= to ? maybeShortNumber() : anyNumber();
    }

    /**
     * Reads a number of one digit, a point and up to fifteen digits, as most are, with few
     * branches: signs and lengths of numbers cannot be foretold. Leaves all others to who reads
     * any.
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
     * Puts numbers as floats: of those that stand here, each with a comma behind, as many as are of
     * one digit, a point and up to fifteen digits. Returns how many.
     *
     * @param most how many there may be
     */
    int putFloats(RowAssembly row, int most) {
        byte[] json = bytes;
        byte[] target = row.room(Float.BYTES * most);
        int begin = row.size();
        int into = begin;
        int end = begin + Float.BYTES * most;
        int i = at;
        int last = to - SHORT_NUMBER_BYTES - 1;
        // Fields are kept out of the loop: each number would wait until they are written.
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
        row.fill(into - begin);
        return (into - begin) / Float.BYTES;
    }

    /**
     * Puts floats that are written as hexadecimal digits in quotes, and returns whether it could:
     * else this stands where it stood.
     */
    boolean putHexFloats(RowAssembly row, int count) {
        expect('"');
        int from = at;
        int end = from + 2 * Float.BYTES * count;
        if (end >= to || bytes[end] != '"') {
            at--;
            return false;
        }
        byte[] json = bytes;
        byte[] target = row.room(Float.BYTES * count);
        int into = row.size();
        long wrong = 0;
        for (int i = from; i < end; i += Long.BYTES) {
            long eight = EightBytes.of(json, i);
            int bits = ByteWords.hex(eight);
            // Which of the many that are no number is kept is decided elsewhere.
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
        row.fill(Float.BYTES * count);
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
            // A whole number has no sign where it is 0.
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
