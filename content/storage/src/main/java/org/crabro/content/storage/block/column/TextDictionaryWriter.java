package org.crabro.content.storage.block.column;

import java.util.Arrays;
import org.crabro.content.storage.layout.BlockBytes;
import org.crabro.content.storage.layout.BlockLayout;

/**
 * Assigns numbers to the distinct strings of a block, in the order of their bytes. Reused for the
 * next block.
 */
final class TextDictionaryWriter {
    private static final long MULTIPLIER = 0x9e37_79b9_7f4a_7c15L;

    private int count;

    /** The distinct number of each string, in the order of insertion. */
    private int[] codes = {};

    /** An open-addressing table: the number of a distinct string plus 1, 0 for a free slot. */
    private int[] table = {};

    /** The start and end of each distinct string, in the order of insertion. */
    private int[] bounds = {};

    private int distinct;
    private long distinctBytes;
    private BlockBytes bytes = new BlockBytes(0);

    /** The distinct strings in the order of their bytes, and their positions in it. */
    private int[] sorted = {};

    private int[] merged = {};
    private int[] places = {};

    /**
     * Finds the distinct strings of {@code texts}.
     *
     * @param starts the start of each string in {@code texts}, and the end of the last
     * @param texts also read by {@link #writeTo}
     * @return whether less than half of them are distinct; otherwise there is no dictionary
     */
    boolean build(BlockBytes starts, BlockBytes texts, int textCount) {
        count = textCount;
        bytes = texts;
        distinct = 0;
        distinctBytes = 0;
        int most = (count - 1) / 2;
        if (most == 0) {
            return false;
        }
        int slots = Integer.highestOneBit(Math.max(8, 2 * most)) << 1;
        if (table.length < slots || table.length > 8 * slots) {
            table = new int[slots];
        } else {
            Arrays.fill(table, 0);
        }
        if (codes.length < count) {
            codes = new int[count];
            bounds = new int[count];
        }
        for (int i = 0; i < count; i++) {
            int code = code(starts.getInt(4 * i), starts.getInt(4 * i + 4), most);
            if (code < 0) {
                return false;
            }
            codes[i] = code;
        }
        sort();
        return true;
    }

    /** Returns the number of a string, which may be new; -1 if there would be too many. */
    private int code(int from, int to, int most) {
        byte[] array = bytes.array();
        long hash = (long) to - from;
        for (int i = from; i < to; i++) {
            hash = (hash ^ array[i]) * MULTIPLIER;
        }
        int slot = (int) (hash >>> 32) & (table.length - 1);
        while (table[slot] != 0) {
            int code = table[slot] - 1;
            if (Arrays.equals(array, bounds[2 * code], bounds[2 * code + 1], array, from, to)) {
                return code;
            }
            slot = (slot + 1) & (table.length - 1);
        }
        if (distinct == most) {
            return -1;
        }
        table[slot] = distinct + 1;
        bounds[2 * distinct] = from;
        bounds[2 * distinct + 1] = to;
        distinctBytes += to - from;
        return distinct++;
    }

    /** A merge sort without an object per string. */
    private void sort() {
        if (sorted.length < distinct) {
            sorted = new int[distinct];
            merged = new int[distinct];
            places = new int[distinct];
        }
        for (int i = 0; i < distinct; i++) {
            sorted[i] = i;
        }
        for (int run = 1; run < distinct; run *= 2) {
            for (int from = 0; from < distinct; from += 2 * run) {
                merge(from, Math.min(from + run, distinct), Math.min(from + 2 * run, distinct));
            }
            int[] done = merged;
            merged = sorted;
            sorted = done;
        }
        for (int i = 0; i < distinct; i++) {
            places[sorted[i]] = i;
        }
    }

    private void merge(int from, int middle, int to) {
        int left = from;
        int right = middle;
        for (int i = from; i < to; i++) {
            boolean takesLeft =
                    left < middle && (right >= to || compare(sorted[left], sorted[right]) < 0);
            merged[i] = takesLeft ? sorted[left++] : sorted[right++];
        }
    }

    private int compare(int left, int right) {
        byte[] array = bytes.array();
        return Arrays.compareUnsigned(
                array,
                bounds[2 * left],
                bounds[2 * left + 1],
                array,
                bounds[2 * right],
                bounds[2 * right + 1]);
    }

    /** Returns the number of bytes that {@link #writeTo} writes. */
    long size() {
        return BlockLayout.codesOffset(distinct)
                + (long) count * BlockLayout.codeSize(distinct)
                + distinctBytes;
    }

    /** Writes the dictionary and the codes in the layout of {@link BlockLayout}. */
    void writeTo(BlockBytes out) {
        out.putInt(distinct);
        int start = 0;
        out.putInt(start);
        for (int i = 0; i < distinct; i++) {
            int text = sorted[i];
            start += bounds[2 * text + 1] - bounds[2 * text];
            out.putInt(start);
        }
        for (int i = 0; i < count; i++) {
            int code = places[codes[i]];
            switch (BlockLayout.codeSize(distinct)) {
                case Byte.BYTES -> out.putByte(code);
                case Short.BYTES -> out.putShort(code);
                default -> out.putInt(code);
            }
        }
        for (int i = 0; i < distinct; i++) {
            int text = sorted[i];
            out.put(bytes.array(), bounds[2 * text], bounds[2 * text + 1] - bounds[2 * text]);
        }
    }
}
