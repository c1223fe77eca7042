package org.crabro.content.search.group;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.IntConsumer;
import org.crabro.text.EightBytes;

/** A pool of different byte strings, numbered from 0 in the order of insertion. For one thread. */
final class TextPool {
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;
    private static final int FIRST_SLOTS = 64;

    private final IntConsumer growth;
    private byte[] bytes = new byte[256];
    private int[] starts = new int[17];
    private int[] hashes = new int[16];
    private int[] slots = new int[FIRST_SLOTS];
    private int size;

    TextPool() {
        this(_ -> {});
    }

    /**
     * @param growth called before the pool grows, with the number of bytes
     */
    TextPool(IntConsumer growth) {
        this.growth = growth;
        Arrays.fill(slots, -1);
    }

    int size() {
        return size;
    }

    /** Removes all strings. */
    void clear() {
        if (size > 0) {
            size = 0;
            Arrays.fill(slots, -1);
        }
    }

    /** Returns the number of a byte string in memory. Adds the string if it is new. */
    int number(MemorySegment from, long offset, int length) {
        int start = room(length);
        MemorySegment.copy(from, ValueLayout.JAVA_BYTE, offset, bytes, start, length);
        return number(start, length);
    }

    /** Returns the number of a part of an array. Adds the string if it is new. */
    int number(byte[] from, int offset, int length) {
        int start = room(length);
        System.arraycopy(from, offset, bytes, start, length);
        return number(start, length);
    }

    /** Returns the number of a text, as UTF-8. Adds the string if it is new. */
    int number(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        return number(utf8, 0, utf8.length);
    }

    /** Returns the number of a string of another pool. Adds the string if it is new. */
    int number(TextPool from, int number) {
        return number(from.bytes, from.start(number), from.length(number));
    }

    /** Reserves bytes after the last string and returns their offset. */
    private int room(int added) {
        int start = starts[size];
        int needed = Math.addExact(start, added);
        if (needed > bytes.length) {
            int length = Math.max(needed, bytes.length + (bytes.length >> 1));
            growth.accept(length - bytes.length);
            bytes = Arrays.copyOf(bytes, length);
        }
        return start;
    }

    /**
     * Returns the number of the string that was written after the last one. Adds it if it is new.
     */
    private int number(int start, int length) {
        int hash = hash(start, length);
        int mask = slots.length - 1;
        int slot = hash & mask;
        while (slots[slot] >= 0) {
            int cached = slots[slot];
            if (hashes[cached] == hash
                    && Arrays.equals(
                            bytes,
                            starts[cached],
                            starts[cached + 1],
                            bytes,
                            start,
                            start + length)) {
                return cached;
            }
            slot = (slot + 1) & mask;
        }
        int number = size++;
        if (size == starts.length) {
            starts = Arrays.copyOf(starts, starts.length * 2);
        }
        if (size > hashes.length) {
            hashes = Arrays.copyOf(hashes, hashes.length * 2);
        }
        starts[size] = start + length;
        hashes[number] = hash;
        slots[slot] = number;
        if (size * 2 > slots.length) {
            grow();
        }
        return number;
    }

    private int hash(int start, int length) {
        long hash = length * MULTIPLIER;
        int at = start;
        int end = start + length;
        for (; at + Long.BYTES <= end; at += Long.BYTES) {
            hash = (hash ^ EightBytes.of(bytes, at)) * MULTIPLIER;
            hash ^= hash >>> 29;
        }
        for (; at < end; at++) {
            hash = (hash ^ bytes[at]) * MULTIPLIER;
        }
        hash ^= hash >>> 32;
        return (int) ((hash * MULTIPLIER) >>> 32);
    }

    private void grow() {
        slots = new int[slots.length * 2];
        Arrays.fill(slots, -1);
        int mask = slots.length - 1;
        for (int number = 0; number < size; number++) {
            int slot = hashes[number] & mask;
            while (slots[slot] >= 0) {
                slot = (slot + 1) & mask;
            }
            slots[slot] = number;
        }
    }

    /** Returns the bytes of all strings. Valid until the next string is added. */
    byte[] bytes() {
        return bytes;
    }

    int start(int number) {
        return starts[number];
    }

    int length(int number) {
        return starts[number + 1] - starts[number];
    }

    byte[] copy(int number) {
        return Arrays.copyOfRange(bytes, starts[number], starts[number + 1]);
    }

    String text(int number) {
        return new String(bytes, starts[number], length(number), StandardCharsets.UTF_8);
    }

    /** Compares two strings by their bytes. */
    int compare(int a, int b) {
        return Arrays.compareUnsigned(
                bytes, starts[a], starts[a + 1], bytes, starts[b], starts[b + 1]);
    }

    /** Compares a string with bytes. */
    int compare(int a, byte[] b) {
        return Arrays.compareUnsigned(bytes, starts[a], starts[a + 1], b, 0, b.length);
    }

    long byteSize() {
        return bytes.length + 4L * (starts.length + hashes.length + slots.length);
    }
}
