package org.crabro.protocol.search;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Compares base64 texts by the bytes that they encode, unsigned. It decodes nothing: six bits of
 * both are compared at a time. Characters that are not part of the code do not count.
 */
public final class Base64Order {
    private static final int END = -1;
    private static final String ALPHABET =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    private static final byte[] BITS = bits();

    private Base64Order() {}

    private static byte[] bits() {
        var bits = new byte[1 << Byte.SIZE];
        Arrays.fill(bits, (byte) END);
        for (int i = 0; i < ALPHABET.length(); i++) {
            bits[ALPHABET.charAt(i)] = (byte) i;
        }
        return bits;
    }

    /** Compares two texts. */
    public static int compare(String a, String b) {
        byte[] one = a.getBytes(StandardCharsets.ISO_8859_1);
        byte[] other = b.getBytes(StandardCharsets.ISO_8859_1);
        return compare(one, one.length, other, other.length);
    }

    /** Compares the first {@code length} characters of two texts. */
    public static int compare(byte[] a, int length, byte[] b, int otherLength) {
        int at = 0;
        int otherAt = 0;
        while (true) {
            at = next(a, at, length);
            otherAt = next(b, otherAt, otherLength);
            int bits = at < length ? BITS[a[at] & 0xff] : END;
            int otherBits = otherAt < otherLength ? BITS[b[otherAt] & 0xff] : END;
            if (bits != otherBits || bits == END) {
                return Integer.compare(bits, otherBits);
            }
            at++;
            otherAt++;
        }
    }

    /** Returns the index of the next character of the code. */
    private static int next(byte[] text, int from, int length) {
        int at = from;
        while (at < length && BITS[text[at] & 0xff] == END) {
            at++;
        }
        return at;
    }
}
