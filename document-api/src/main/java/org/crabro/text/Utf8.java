package org.crabro.text;

/**
 * Code points of UTF-8 text. A decoded code point and its length are returned as one {@code int},
 * so that decoding allocates nothing.
 */
public final class Utf8 {
    /** Replaces invalid bytes. It separates words and is as long as the byte. */
    static final int SUBSTITUTE = 0x1a;

    private static final int LENGTH_BITS = 3;

    private Utf8() {}

    /** Returns the code point of a result of {@link #decode}. */
    public static int codePoint(int decoded) {
        return decoded >>> LENGTH_BITS;
    }

    /** Returns the number of bytes of a result of {@link #decode}. */
    public static int length(int decoded) {
        return decoded & (1 << LENGTH_BITS) - 1;
    }

    /**
     * Decodes the code point at {@code at}. A byte that starts no code point, or whose sequence is
     * cut off at {@code end}, is decoded as {@link #SUBSTITUTE}.
     */
    public static int decode(byte[] text, int at, int end) {
        int first = text[at];
        if (first >= 0) {
            return packed(first, 1);
        }
        int length = Integer.numberOfLeadingZeros(~first << 24);
        if (length < 2 || length > 4 || length > end - at) {
            return packed(SUBSTITUTE, 1);
        }
        int codePoint = first & 0x7f >>> length;
        for (int i = 1; i < length; i++) {
            int next = text[at + i];
            if ((next & 0xc0) != 0x80) {
                return packed(SUBSTITUTE, 1);
            }
            codePoint = codePoint << 6 | (next & 0x3f);
        }
        return codePoint > Character.MAX_CODE_POINT
                ? packed(SUBSTITUTE, 1)
                : packed(codePoint, length);
    }

    /** Writes {@code codePoint} to {@code into} and returns the offset after it. */
    static int encode(int codePoint, byte[] into, int at) {
        if (codePoint < 0x80) {
            into[at] = (byte) codePoint;
            return at + 1;
        }
        if (codePoint < 0x800) {
            into[at] = (byte) (0xc0 | codePoint >>> 6);
            return continued(codePoint, 1, into, at);
        }
        if (codePoint < 0x10000) {
            into[at] = (byte) (0xe0 | codePoint >>> 12);
            return continued(codePoint, 2, into, at);
        }
        into[at] = (byte) (0xf0 | codePoint >>> 18);
        return continued(codePoint, 3, into, at);
    }

    private static int continued(int codePoint, int count, byte[] into, int at) {
        for (int i = 1; i <= count; i++) {
            into[at + i] = (byte) (0x80 | ((codePoint >>> (6 * (count - i))) & 0x3f));
        }
        return at + count + 1;
    }

    private static int packed(int codePoint, int length) {
        return codePoint << LENGTH_BITS | length;
    }
}
