package org.crabro.content.block.column;

import java.util.Arrays;
import org.crabro.content.layout.BlockBytes;
import org.crabro.content.layout.BlockLayout;

/**
 * Gives the distinct strings of a block numbers in the order of their bytes. Used again for the
 * next block.
 */
final class TextDictionaryWriter {
    private static final long MULTIPLIER = 0x9e37_79b9_7f4a_7c15L;

    private int count;

    /** Of each string, which of the distinct ones it is, in the order in which they came. */
    private int[] codes = {};

    /** Open addressing: the number of a distinct string plus 1, 0 where there is none. */
    private int[] table = {};

    /** Where the distinct strings start and end, two numbers each, in the order they came. */
    private int[] bounds = {};

    private int distinct;
    private long distinctBytes;
    private BlockBytes bytes = new BlockBytes(0);

    /** The distinct strings in the order of their bytes, and their places in it. */
    private int[] sorted = {};

    private int[] merged = {};
    private int[] places = {};

    /**
     * Looks for the distinct ones of {@code texts} strings.
     *
     * @param starts where each starts in {@code texts}, and where the last ends
     * @param texts what {@link #writeTo} still reads
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

    /** Returns the number of a string, maybe a new one; -1 where there would be too many. */
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

    /** Merges longer and longer runs, without an object per string. */
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

    /** Returns the bytes that {@link #writeTo} writes. */
    long size() {
        return BlockLayout.codesOffset(distinct)
                + (long) count * BlockLayout.codeSize(distinct)
                + distinctBytes;
    }

    /** Writes the dictionary and the codes, laid out as {@link BlockLayout} tells. */
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
