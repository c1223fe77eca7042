package org.crabro.content.search.parent;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.column.TextReader;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.content.storage.layout.BlockLayout;

/**
 * Collects strings and numbers the distinct ones in the order of their bytes. Reused after {@link
 * #clear}. For one thread.
 */
final class DistinctTexts {
    private final TextReader reader = new TextReader();
    private byte[] bytes = {};
    private int size;

    /** The end of each string in {@link #bytes}. */
    private int[] ends = {};

    private int added;

    /** The strings in the order of their bytes. */
    private int[] sorted = {};

    private int[] merged = {};

    /** The number of each string. */
    private int[] codes = {};

    private int count;

    void clear() {
        size = 0;
        added = 0;
        count = 0;
    }

    /** Adds a string and returns its index. */
    int add(Column.Texts column, int row, WorkMeter work) {
        reader.read(column, row);
        int length = reader.length();
        work.spend(length);
        if (bytes.length - size < length) {
            bytes = Arrays.copyOf(bytes, Math.max(size + length, 2 * bytes.length));
        }
        MemorySegment.copy(
                reader.bytes(), ValueLayout.JAVA_BYTE, reader.offset(), bytes, size, length);
        size += length;
        if (added == ends.length) {
            ends = Arrays.copyOf(ends, Math.max(16, 2 * added));
        }
        ends[added] = size;
        return added++;
    }

    /** Numbers the strings. */
    void sort(WorkMeter work) {
        if (sorted.length < added) {
            sorted = new int[ends.length];
            merged = new int[ends.length];
            codes = new int[ends.length];
        }
        for (int i = 0; i < added; i++) {
            sorted[i] = i;
        }
        for (int run = 1; run < added; run *= 2) {
            for (int from = 0; from < added; from += 2 * run) {
                int middle = Math.min(from + run, added);
                merge(from, middle, Math.min(from + 2 * run, added), work);
            }
            int[] done = merged;
            merged = sorted;
            sorted = done;
        }
        for (int i = 0; i < added; i++) {
            if (i == 0 || compare(sorted[i - 1], sorted[i]) != 0) {
                sorted[count++] = sorted[i];
            }
            codes[sorted[i]] = count - 1;
        }
    }

    private void merge(int from, int middle, int to, WorkMeter work) {
        int left = from;
        int right = middle;
        for (int i = from; i < to; i++) {
            boolean takesLeft = right >= to;
            if (left < middle && right < to) {
                work.spend(Math.min(length(sorted[left]), length(sorted[right])));
                takesLeft = compare(sorted[left], sorted[right]) < 0;
            }
            merged[i] = takesLeft ? sorted[left++] : sorted[right++];
        }
    }

    private int compare(int a, int b) {
        return Arrays.compareUnsigned(bytes, start(a), ends[a], bytes, start(b), ends[b]);
    }

    private int start(int text) {
        return text == 0 ? 0 : ends[text - 1];
    }

    private int length(int text) {
        return ends[text] - start(text);
    }

    /** Returns the number of distinct strings, after {@link #sort}. */
    int count() {
        return count;
    }

    /** Returns the number of a string, by its index. */
    int code(int text) {
        return codes[text];
    }

    /** Returns the bytes of all strings that were added. */
    long byteSize() {
        return size;
    }

    /** Writes the distinct strings as {@link Column.CodedTexts} has them. */
    void writeTo(MemorySegment starts, MemorySegment into) {
        int at = 0;
        starts.set(BlockLayout.INT, 0, 0);
        for (int i = 0; i < count; i++) {
            int text = sorted[i];
            MemorySegment.copy(bytes, start(text), into, ValueLayout.JAVA_BYTE, at, length(text));
            at += length(text);
            starts.set(BlockLayout.INT, 4L * (i + 1), at);
        }
    }
}
