package org.crabro.document.json;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.crabro.document.memory.MemoryShare;
import org.crabro.text.HexDigits;

/** A growing buffer of JSON in UTF-8. For one thread. */
public final class JsonBytes {
    /** The spare capacity after a long text. */
    private static final int SLACK = 256;

    /** The maximum spare capacity when the buffer grows. */
    private static final int STEP_MAX = 8 << 20;

    private static final byte[] DIGITS = digits();

    /** A page of the usual size is not charged. */
    private static final int CHARGED = 2 << 20;

    /** The maximum number of characters of a long and of a double. */
    private static final int NUMBER_MAX = 26;

    /**
     * By byte: 0 if it is written as it is, -1 if it is escaped with six characters, else the
     * character that follows the backslash.
     */
    private static final byte[] ESCAPES = escapes();

    private final StringBuilder number = new StringBuilder();
    private final MemoryShare memory = MemoryShare.current();
    private byte[] bytes;
    private int size;

    public JsonBytes(int capacity) {
        this.bytes = new byte[capacity];
    }

    /** Returns the name of a member in quotes, with its colon. */
    public static byte[] member(String name) {
        var json = new JsonBytes(name.length() + 8);
        json.string(name);
        json.put(':');
        return Arrays.copyOf(json.bytes, json.size);
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

    /** Returns the count of bytes. */
    public int size() {
        return size;
    }

    /** Truncates the buffer to an earlier size. */
    public void cut(int earlier) {
        size = earlier;
    }

    /** Returns the bytes. Nothing can be added afterwards. */
    public ByteBuffer finish() {
        return ByteBuffer.wrap(bytes, 0, size);
    }

    private void reserve(int more) {
        if (bytes.length - size < more) {
            int needed = Math.addExact(size, more) + SLACK;
            // A large buffer often has one large text at the end, so it grows by a limited amount.
            int grown = Math.max(needed, size + Math.min(size >> 1, STEP_MAX));
            if (grown > CHARGED) {
                // Both arrays are in memory while one is copied.
                memory.chargeNow(grown - bytes.length);
            }
            bytes = Arrays.copyOf(bytes, grown);
        }
    }

    /** Appends an ASCII character unchanged. */
    public void put(char character) {
        reserve(1);
        bytes[size++] = (byte) character;
    }

    /** Appends bytes unchanged. */
    public void put(byte[] text) {
        reserve(text.length);
        System.arraycopy(text, 0, bytes, size, text.length);
        size += text.length;
    }

    /** Appends a text in quotes. */
    public void string(String text) {
        byte[] utf8 = text.getBytes(UTF_8);
        string(utf8, 0, utf8.length);
    }

    /** Appends a UTF-8 text in quotes. */
    public void string(byte[] utf8, int from, int to) {
        reserve(to - from + 2);
        bytes[size++] = '"';
        System.arraycopy(utf8, from, bytes, size, to - from);
        escape(to - from);
        put('"');
    }

    /** Appends a UTF-8 text in quotes. */
    public void string(MemorySegment text, long offset, int length) {
        reserve(length + 2);
        bytes[size++] = '"';
        MemorySegment.copy(text, ValueLayout.JAVA_BYTE, offset, bytes, size, length);
        escape(length);
        put('"');
    }

    /** Appends bytes that are already stored after the end, and escapes them as necessary. */
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
        byte[] remaining = Arrays.copyOfRange(bytes, at, end);
        size = at;
        for (int i = 0; i < remaining.length; i++) {
            byte each = remaining[i];
            byte escape = ESCAPES[each & 0xff];
            if (escape != 0) {
                // For this character and for the rest unescaped.
                reserve(remaining.length - i + 6);
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
                bytes[size++] = HexDigits.digit(each >>> 4);
                bytes[size++] = HexDigits.digit(each);
            }
        }
    }

    /** Appends a whole number. */
    public void number(long value) {
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
        long remaining = value;
        while (remaining >= 100) {
            int pair = (int) (remaining % 100);
            remaining /= 100;
            bytes[--at] = DIGITS[2 * pair + 1];
            bytes[--at] = DIGITS[2 * pair];
        }
        bytes[--at] = DIGITS[2 * (int) remaining + 1];
        if (remaining >= 10) {
            bytes[--at] = DIGITS[2 * (int) remaining];
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

    /** Appends a finite number in the format of {@link Double#toString(double)}. */
    public void number(double value) {
        if (!putWhole(value)) {
            number.setLength(0);
            number.append(value);
            putNumber();
        }
    }

    /** Appends a finite number in the format of {@link Float#toString(float)}. */
    public void number(float value) {
        if (!putWhole(value)) {
            number.setLength(0);
            number.append(value);
            putNumber();
        }
    }

    /**
     * Appends a number if it is whole and below ten million. Most numbers are, and these are fast
     * to write.
     */
    private boolean putWhole(double value) {
        int whole = (int) value;
        // Minus zero is not whole, and numbers from ten million on have an exponent.
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

    /**
     * Appends bytes as hexadecimal digits, from the last to the first byte of each {@code width}
     * bytes.
     */
    public void hex(MemorySegment from, long offset, int count, int width) {
        reserve(2 * count * width);
        byte[] into = bytes;
        int at = size;
        long begin = offset;
        for (int i = 0; i < count; i++) {
            for (int part = width - 1; part >= 0; part--) {
                int each = from.get(ValueLayout.JAVA_BYTE, begin + part);
                into[at++] = HexDigits.digit(each >>> 4);
                into[at++] = HexDigits.digit(each);
            }
            begin += width;
        }
        size = at;
    }
}
