package org.crabro.text;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Hexadecimal digits. */
public final class HexDigits {
    private static final byte[] DIGITS = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);

    /** By byte: its value, -1 if it is not a digit. */
    private static final byte[] VALUES = values();

    private HexDigits() {}

    /** Returns the value of a digit of either case; -1 if the byte is not a digit. */
    public static int value(byte digit) {
        return VALUES[digit & 0xff];
    }

    /** Returns the digit for the lowest four bits of {@code value}, in upper case. */
    public static byte digit(int value) {
        return DIGITS[value & 0xf];
    }

    private static byte[] values() {
        byte[] values = new byte[256];
        Arrays.fill(values, (byte) -1);
        for (int i = 0; i < 10; i++) {
            values['0' + i] = (byte) i;
        }
        for (int i = 10; i < 16; i++) {
            values['a' + i - 10] = (byte) i;
            values['A' + i - 10] = (byte) i;
        }
        return values;
    }
}
