package org.crabro.content.visit;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** JSON in UTF-8 that grows at its end. For one thread. */
final class JsonBytes {
    /** What has room behind a long text. */
    private static final int SLACK = 256;

    /** More is not made room for than is asked for. */
    private static final int STEP_MAX = 8 << 20;

    private static final byte[] HEX = "0123456789ABCDEF".getBytes(US_ASCII);
    private static final byte[] DIGITS = digits();

    /** The longest text of a long, and of a double. */
    private static final int NUMBER_MAX = 26;

    /** By byte: 0 where it stands for itself, -1 for six characters, else behind a backslash. */
    private static final byte[] ESCAPES = escapes();

    private final StringBuilder number = new StringBuilder();
    private byte[] bytes;
    private int size;

    JsonBytes(int capacity) {
        this.bytes = new byte[capacity];
    }

    private static byte[] digits() {
        var digits = new byte[200];
        for (int i = 0; i < 100; i++) {
            digits[2 * i] = (byte) ('0' + i / 10);
            digits[2 * i + 1] = (byte) ('0' + i % 10);
        }
        return digits;
    }

    private static byte[] escapes() {
        var escapes = new byte[256];
        Arrays.fill(escapes, 0, ' ', (byte) -1);
        escapes['"'] = '"';
        escapes['\\'] = '\\';
        escapes['\b'] = 'b';
        escapes['\f'] = 'f';
        escapes['\n'] = 'n';
        escapes['\r'] = 'r';
        escapes['\t'] = 't';
        return escapes;
    }

    int size() {
        return size;
    }

    /** Goes back to an earlier size. */
    void cut(int earlier) {
        size = earlier;
    }

    /** Returns what was written; nothing more is. */
    ByteBuffer finish() {
        return ByteBuffer.wrap(bytes, 0, size);
    }

    private void reserve(int more) {
        if (bytes.length - size < more) {
            int needed = Math.addExact(size, more) + SLACK;
            // Much of what is large is one text, behind which little comes.
            bytes = Arrays.copyOf(bytes, Math.max(needed, size + Math.min(size >> 1, STEP_MAX)));
        }
    }

    /** Puts a character of ASCII as it is. */
    void put(char character) {
        reserve(1);
        bytes[size++] = (byte) character;
    }

    /** Puts bytes as they are. */
    void put(byte[] text) {
        reserve(text.length);
        System.arraycopy(text, 0, bytes, size, text.length);
        size += text.length;
    }

    /** Puts a text in quotes. */
    void string(String text) {
        byte[] utf8 = text.getBytes(UTF_8);
        string(utf8, 0, utf8.length);
    }

    /** Puts a text of UTF-8 in quotes. */
    void string(byte[] utf8, int from, int to) {
        reserve(to - from + 2);
        bytes[size++] = '"';
        System.arraycopy(utf8, from, bytes, size, to - from);
        escape(to - from);
        put('"');
    }

    /** Puts a text of UTF-8 in quotes. */
    void string(MemorySegment text, long offset, int length) {
        reserve(length + 2);
        bytes[size++] = '"';
        MemorySegment.copy(text, ValueLayout.JAVA_BYTE, offset, bytes, size, length);
        escape(length);
        put('"');
    }

    /** Takes in the bytes that stand behind the end already, with what needs it escaped. */
    private void escape(int length) {
        int end = size + length;
        int at = size;
        while (at < end && ESCAPES[bytes[at] & 0xff] == 0) {
            at++;
        }
        if (at == end) {
            size = end;
            return;
        }
        byte[] rest = Arrays.copyOfRange(bytes, at, end);
        size = at;
        for (int i = 0; i < rest.length; i++) {
            byte each = rest[i];
            byte escape = ESCAPES[each & 0xff];
            if (escape != 0) {
                // For this one and for the others as they are.
                reserve(rest.length - i + 6);
            }
            if (escape == 0) {
                bytes[size++] = each;
            } else if (escape > 0) {
                bytes[size++] = '\\';
                bytes[size++] = escape;
            } else {
                bytes[size++] = '\\';
                bytes[size++] = 'u';
                bytes[size++] = '0';
                bytes[size++] = '0';
                bytes[size++] = HEX[each >>> 4];
                bytes[size++] = HEX[each & 0xf];
            }
        }
    }

    /** Puts a whole number. */
    void number(long value) {
        reserve(NUMBER_MAX);
        if (value < 0) {
            if (value == Long.MIN_VALUE) {
                put(Long.toString(value).getBytes(US_ASCII));
                return;
            }
            bytes[size++] = '-';
            positive(-value);
        } else {
            positive(value);
        }
    }

    private void positive(long value) {
        int end = size + length(value);
        int at = end;
        long rest = value;
        while (rest >= 100) {
            int pair = (int) (rest % 100);
            rest /= 100;
            bytes[--at] = DIGITS[2 * pair + 1];
            bytes[--at] = DIGITS[2 * pair];
        }
        bytes[--at] = DIGITS[2 * (int) rest + 1];
        if (rest >= 10) {
            bytes[--at] = DIGITS[2 * (int) rest];
        }
        size = end;
    }

    private static int length(long value) {
        int length = 1;
        for (long limit = 10; length < 19 && value >= limit; limit *= 10) {
            length++;
        }
        return length;
    }

    /** Puts a finite number as {@link Double#toString(double)} writes it. */
    void number(double value) {
        if (!putWhole(value)) {
            number.setLength(0);
            number.append(value);
            putNumber();
        }
    }

    /** Puts a finite number as {@link Float#toString(float)} writes it. */
    void number(float value) {
        if (!putWhole(value)) {
            number.setLength(0);
            number.append(value);
            putNumber();
        }
    }

    /** Puts a number that is whole and not large: most are, and these are quick to write. */
    private boolean putWhole(double value) {
        int whole = (int) value;
        // Minus zero is no whole number, and from ten million on there is an exponent.
        if (whole != value || whole >= 10_000_000 || whole <= -10_000_000 || isMinusZero(value)) {
            return false;
        }
        number((long) whole);
        put('.');
        put('0');
        return true;
    }

    private static boolean isMinusZero(double value) {
        return value == 0 && Double.doubleToRawLongBits(value) != 0;
    }

    private void putNumber() {
        reserve(NUMBER_MAX);
        for (int i = 0; i < number.length(); i++) {
            bytes[size++] = (byte) number.charAt(i);
        }
    }

    /** Puts bytes as hexadecimal digits, from the last to the first of each {@code width}. */
    void hex(MemorySegment from, long offset, int count, int width) {
        reserve(2 * count * width);
        byte[] into = bytes;
        int at = size;
        long begin = offset;
        for (int i = 0; i < count; i++) {
            for (int part = width - 1; part >= 0; part--) {
                int each = from.get(ValueLayout.JAVA_BYTE, begin + part);
                into[at++] = HEX[(each >>> 4) & 0xf];
                into[at++] = HEX[each & 0xf];
            }
            begin += width;
        }
        size = at;
    }
}
