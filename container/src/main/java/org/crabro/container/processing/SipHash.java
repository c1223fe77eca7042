package org.crabro.container.processing;

import org.crabro.text.EightBytes;

/**
 * SipHash-2-4 of Aumasson and Bernstein, with the key of its test vectors, so that everybody gets
 * the same numbers for the same texts.
 */
final class SipHash {
    private static final long KEY_LOW = 0x0706_0504_0302_0100L;
    private static final long KEY_HIGH = 0x0f0e_0d0c_0b0a_0908L;

    private long v0 = KEY_LOW ^ 0x736f_6d65_7073_6575L;
    private long v1 = KEY_HIGH ^ 0x646f_7261_6e64_6f6dL;
    private long v2 = KEY_LOW ^ 0x6c79_6765_6e65_7261L;
    private long v3 = KEY_HIGH ^ 0x7465_6462_7974_6573L;

    private SipHash() {}

    static long of(byte[] bytes) {
        var hash = new SipHash();
        int whole = bytes.length & ~7;
        for (int i = 0; i < whole; i += Long.BYTES) {
            hash.add(EightBytes.of(bytes, i));
        }
        long last = (long) bytes.length << 56;
        for (int i = whole; i < bytes.length; i++) {
            last |= (bytes[i] & 0xffL) << (8 * (i - whole));
        }
        hash.add(last);
        hash.v2 ^= 0xff;
        for (int i = 0; i < 4; i++) {
            hash.round();
        }
        return hash.v0 ^ hash.v1 ^ hash.v2 ^ hash.v3;
    }

    private void add(long word) {
        v3 ^= word;
        round();
        round();
        v0 ^= word;
    }

    private void round() {
        v0 += v1;
        v2 += v3;
        v1 = Long.rotateLeft(v1, 13) ^ v0;
        v3 = Long.rotateLeft(v3, 16) ^ v2;
        v0 = Long.rotateLeft(v0, 32);
        v2 += v1;
        v0 += v3;
        v1 = Long.rotateLeft(v1, 17) ^ v2;
        v3 = Long.rotateLeft(v3, 21) ^ v0;
        v2 = Long.rotateLeft(v2, 32);
    }
}
