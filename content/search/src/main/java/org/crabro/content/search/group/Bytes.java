package org.crabro.content.search.group;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing buffer of bytes, whose memory is reused. */
final class Bytes {
    private byte[] bytes = new byte[64];
    private int length;

    void clear() {
        length = 0;
    }

    byte[] array() {
        return bytes;
    }

    int length() {
        return length;
    }

    void add(TextPool from, int number) {
        add(from.bytes(), from.start(number), from.length(number));
    }

    void add(byte[] from, int offset, int count) {
        reserve(count);
        System.arraycopy(from, offset, bytes, length, count);
        length += count;
    }

    void add(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        add(utf8, 0, utf8.length);
    }

    /** Adds the low {@code width} bytes of a number, the most significant first. */
    void addNumber(long number, int width) {
        reserve(width);
        for (int i = width - 1; i >= 0; i--) {
            bytes[length++] = (byte) (number >>> (8 * i));
        }
    }

    private void reserve(int more) {
        int needed = Math.addExact(length, more);
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(needed, bytes.length * 2));
        }
    }
}
