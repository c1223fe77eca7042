package org.crabro.document.json;

import java.util.Arrays;

/** The value of each byte as a hexadecimal digit; -1 for other bytes. */
public final class HexDigits {
    private static final byte[] VALUES = values();

    private HexDigits() {}

    /** Returns the value of a digit; -1 if the byte is none. */
    public static int value(byte digit) {
        return VALUES[digit & 0xff];
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
