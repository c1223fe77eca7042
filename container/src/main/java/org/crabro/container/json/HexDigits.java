package org.crabro.container.json;

import java.util.Arrays;

/** The value of each byte as a hexadecimal digit; -1 for other bytes. */
final class HexDigits {
    static final byte[] VALUES = values();

    private HexDigits() {}

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
