package org.crabro.ranking.significance;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/**
 * A map from words to numbers that takes 20 to 28 bytes per word, plus the word: models have
 * millions of words. One thread fills it, then many threads read it.
 */
final class WordCounts {
    private byte[] words = new byte[1 << 10];

    /** Where each word ends; it begins where the one before ends. */
    private int[] ends = new int[64];

    private long[] counts = new long[64];

    /** By hash, the number of a word from 1 on; 0 for none. A power of two, at most half full. */
    private int[] slots = new int[256];

    private int size;

    int size() {
        return size;
    }

    /**
     * Adds a word; returns whether it was not there.
     *
     * @param count at least 0
     */
    boolean add(String word, long count) {
        byte[] utf8 = word.getBytes(UTF_8);
        int slot = slot(utf8);
        if (slots[slot] != 0) {
            return false;
        }
        int start = size == 0 ? 0 : ends[size - 1];
        words = room(words, start + utf8.length);
        System.arraycopy(utf8, 0, words, start, utf8.length);
        if (size == ends.length) {
            ends = Arrays.copyOf(ends, Math.max(64, 2 * size));
            counts = Arrays.copyOf(counts, Math.max(64, 2 * size));
        }
        ends[size] = start + utf8.length;
        counts[size] = count;
        size++;
        slots[slot] = size;
        if (2 * size > slots.length) {
            spread();
        }
        return true;
    }

    /** Returns the count of a word; 0 if it is unknown. */
    long of(String word) {
        int count = slots[slot(word.getBytes(UTF_8))];
        return count == 0 ? 0 : counts[count - 1];
    }

    /** Releases unused capacity. */
    void trim() {
        words = Arrays.copyOf(words, size == 0 ? 0 : ends[size - 1]);
        ends = Arrays.copyOf(ends, size);
        counts = Arrays.copyOf(counts, size);
    }

    /** Returns the largest count; 0 if there are no words. */
    long largest() {
        return Arrays.stream(counts).max().orElse(0);
    }

    private static byte[] room(byte[] bytes, int needed) {
        return needed <= bytes.length
                ? bytes
                : Arrays.copyOf(bytes, Math.max(needed, bytes.length + bytes.length / 2));
    }

    /** Returns the slot of a word, or the free slot for it. */
    private int slot(byte[] word) {
        int slot = hash(word, 0, word.length) & slots.length - 1;
        while (slots[slot] != 0 && !isWord(slots[slot] - 1, word)) {
            slot = slot + 1 & slots.length - 1;
        }
        return slot;
    }

    private boolean isWord(int index, byte[] word) {
        return Arrays.equals(words, start(index), ends[index], word, 0, word.length);
    }

    private int start(int index) {
        return index == 0 ? 0 : ends[index - 1];
    }

    private void spread() {
        slots = new int[2 * slots.length];
        for (int i = 0; i < size; i++) {
            int slot = hash(words, start(i), ends[i]) & slots.length - 1;
            while (slots[slot] != 0) {
                slot = slot + 1 & slots.length - 1;
            }
            slots[slot] = i + 1;
        }
    }

    private static int hash(byte[] bytes, int start, int end) {
        int hash = 0;
        for (int i = start; i < end; i++) {
            hash = 31 * hash + bytes[i];
        }
        hash *= 0x9e3779b9;
        return hash ^ hash >>> 15;
    }
}
