package org.crabro.container.bulk;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.crabro.document.LegalText;
import org.crabro.protocol.encoding.PlainText;
import org.crabro.protocol.encoding.RowAssembly;

/**
 * Goes over the bytes of JSON in its common forms, and says of everything else only that it is
 * something else: then whoever reads all of JSON has the word, and what is wrong is told by that
 * one alone. For one thread.
 */
final class JsonBytes {
    /** What is thrown for all that is not a common form. Expected, so it has no stack. */
    static final class UncommonFormException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private UncommonFormException() {
            super("an uncommon form", null, false, false);
        }
    }

    /** The largest count of digits whose number is always below 2^63. */
    private static final int DIGITS_MAX = 18;

    private static final long EXACT_MAX = 1L << 53;

    /** Nobody writes longer numbers; some are refused, by whoever reads all of JSON. */
    private static final int NUMBER_LENGTH_MAX = 500;

    private static final double[] TENS = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
        1e17, 1e18, 1e19, 1e20, 1e21, 1e22
    };

    /** The powers of ten that a count of up to sixteen digits is multiplied with. */
    private static final long[] WHOLE_TENS =
            LongStream.iterate(1, ten -> 10 * ten).limit(17).toArray();

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

    /** Goes to the first of some bytes, of which a line is read. */
    void open(byte[] json, int from, int end) {
        bytes = json;
        at = from;
        to = end;
        spansLines = false;
    }

    /** Goes to the first of some bytes, which are read to their end on however many lines. */
    void openLines(byte[] json, int from, int end) {
        open(json, from, end);
        spansLines = true;
    }

    int at() {
        return at;
    }

    /** Passes over blanks and returns whether the line is over, or all that there is. */
    boolean isAtLineEnd() {
        while (at < to && isBlank(bytes[at])) {
            at++;
        }
        return at == to || bytes[at] == '\n';
    }

    private boolean isBlank(byte b) {
        return b == ' ' || b == '\t' || b == '\r' || (b == '\n' && spansLines);
    }

    /** Returns what says that something is no common form. */
    UncommonFormException uncommon() {
        return uncommon;
    }

    /** Passes over blanks, and returns the byte behind them. */
    int next() {
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
    void expect(char expected) {
        if (next() != expected) {
            throw uncommon;
        }
        at++;
    }

    /** Passes over blanks, and over one byte if it is {@code possible}; returns whether it was. */
    boolean passes(char possible) {
        if (next() != possible) {
            return false;
        }
        at++;
        return true;
    }

    /** Passes over {@code word} if it stands here; returns whether it did. */
    boolean passes(byte[] word) {
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
     * starts behind the quote where this stood.
     */
    int plainString() {
        expect('"');
        int end = asciiEnd();
        if (end >= to || bytes[end] != '"') {
            throw uncommon;
        }
        at = end + 1;
        return end;
    }

    /** Puts a string, unescaped, with its length before it. */
    void putString(RowAssembly row) {
        expect('"');
        int place = row.putCount();
        while (true) {
            at = row.putPlain(bytes, at, to);
            if (at >= to) {
                throw uncommon;
            }
            byte b = bytes[at];
            if (b == '"') {
                at++;
                row.setCount(place, row.sizeSince(place));
                return;
            }
            if (b == '\\') {
                putEscaped(row);
            } else if (b < 0) {
                putUtf8(row);
            } else {
                throw uncommon;
            }
        }
    }

    /** Returns where the next byte is that is not plain text: a quote, an escape, no ASCII. */
    private int asciiEnd() {
        int i = at;
        for (; i + Long.BYTES <= to; i += Long.BYTES) {
            long special = PlainText.special(ByteWords.of(bytes, i));
            if (special != 0) {
                return i + (Long.numberOfTrailingZeros(special) >>> 3);
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

    private void putEscaped(RowAssembly row) {
        if (at + 1 >= to) {
            throw uncommon;
        }
        switch (bytes[at + 1]) {
            case '"', '\\', '/' -> row.putByte(bytes[at + 1]);
            case 'n' -> row.putByte('\n');
            case 'r' -> row.putByte('\r');
            case 't' -> row.putByte('\t');
            case 'u' -> {
                putCodePoint(row);
                return;
            }
            default -> throw uncommon;
        }
        at += 2;
    }

    private void putCodePoint(RowAssembly row) {
        int codePoint = unit();
        if (Character.isHighSurrogate((char) codePoint)) {
            if (at + 1 >= to || bytes[at] != '\\' || bytes[at + 1] != 'u') {
                throw uncommon;
            }
            int low = unit();
            if (!Character.isLowSurrogate((char) low)) {
                throw uncommon;
            }
            codePoint = Character.toCodePoint((char) codePoint, (char) low);
        }
        if (!LegalText.isLegal(codePoint)) {
            throw uncommon;
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
    }

    /** Reads an escape of four hexadecimal digits. */
    private int unit() {
        if (at + 6 > to) {
            throw uncommon;
        }
        int unit = 0;
        for (int i = at + 2; i < at + 6; i++) {
            int digit = HexDigits.VALUES[bytes[i] & 0xff];
            if (digit < 0) {
                throw uncommon;
            }
            unit = (unit << 4) | digit;
        }
        at += 6;
        return unit;
    }

    private void putUtf8(RowAssembly row) {
        int lead = bytes[at] & 0xff;
        int count = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
        if (lead < 0xc2 || lead > 0xf4 || at + count > to) {
            throw uncommon;
        }
        int codePoint = lead & (0x7f >> count);
        for (int i = 1; i < count; i++) {
            int b = bytes[at + i];
            if ((b & 0xc0) != 0x80) {
                throw uncommon;
            }
            codePoint = (codePoint << 6) | (b & 0x3f);
        }
        int least = count == 2 ? 0x80 : count == 3 ? 0x800 : 0x1_0000;
        if (codePoint < least || !LegalText.isLegal(codePoint)) {
            throw uncommon;
        }
        row.putBytes(bytes, at, count);
        at += count;
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
        if (digits == 0 || digits > DIGITS_MAX || (digits > 1 && bytes[from] == '0')) {
            throw uncommon;
        }
        at = i;
        expectNumberEnd();
        return isNegative ? -value : value;
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
        long first = ByteWords.of(bytes, point + 1);
        int count = ByteWords.leadingDigits(first);
        long digits;
        if (count < Long.BYTES) {
            digits = ByteWords.decimal(ByteWords.lastOnly(first, count));
        } else {
            long second = ByteWords.of(bytes, point + 1 + Long.BYTES);
            int more = ByteWords.leadingDigits(second);
            digits =
                    ByteWords.decimal(first) * WHOLE_TENS[more]
                            + ByteWords.decimal(ByteWords.lastOnly(second, more));
            count += more;
        }
        digits += whole * WHOLE_TENS[count];
        int end = point + 1 + count;
        if (count == 0
                || digits > EXACT_MAX
                || (digits == 0 && sign != 0)
                || !isBehindNumber(bytes[end])) {
            return anyNumber();
        }
        at = end;
        // Both are exact, so one rounding is all there is.
        double value = digits / TENS[count];
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
            long first = ByteWords.of(json, behind);
            int count = ByteWords.leadingDigits(first);
            long digits;
            if (count < Long.BYTES) {
                digits = ByteWords.decimal(ByteWords.lastOnly(first, count));
            } else {
                long second = ByteWords.of(json, behind + Long.BYTES);
                int more = ByteWords.leadingDigits(second);
                digits =
                        ByteWords.decimal(first) * WHOLE_TENS[more]
                                + ByteWords.decimal(ByteWords.lastOnly(second, more));
                count += more;
            }
            digits += whole * WHOLE_TENS[count];
            behind += count;
            boolean isLeft = count == 0 || digits > EXACT_MAX || (digits == 0 && sign != 0);
            if (isLeft || json[behind] != ',') {
                break;
            }
            int bits = Float.floatToRawIntBits((float) (digits / TENS[count]));
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
            long eight = ByteWords.of(json, i);
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
        if (i < to && bytes[i] == '.') {
            int point = ++i;
            while (i + Long.BYTES <= to) {
                long eight = ByteWords.of(bytes, i);
                if (!ByteWords.areDigits(eight)) {
                    break;
                }
                digits = 100_000_000 * digits + ByteWords.decimal(eight);
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
            while (i < to && bytes[i] >= '0' && bytes[i] <= '9' && i < start + 4) {
                written = 10 * written + (bytes[i] - '0');
                i++;
            }
            if (i == start) {
                throw uncommon;
            }
            exponent += isDown ? -written : written;
        }
        at = i;
        expectNumberEnd();
        if ((digits == 0 && isNegative) || i - from > NUMBER_LENGTH_MAX) {
            throw uncommon;
        }
        if (count > DIGITS_MAX) {
            count -= leadingZeros(first);
        }
        if (count <= DIGITS_MAX
                && digits <= EXACT_MAX
                && exponent < TENS.length
                && -exponent < TENS.length) {
            // Both are exact, so one rounding is all there is.
            double value = exponent < 0 ? digits / TENS[-exponent] : digits * TENS[exponent];
            return isNegative ? -value : value;
        }
        return DecimalNumbers.parse(bytes, from, i, digits, count, exponent, isNegative);
    }
}
