package org.crabro.content.storage.block;

import static org.crabro.content.storage.layout.BlockLayout.INT;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.crabro.content.storage.block.token.TokenNumbers;
import org.crabro.content.storage.file.Extents;
import org.crabro.content.storage.layout.BlockDirectory;
import org.crabro.content.storage.layout.BlockLayout;
import org.crabro.content.storage.layout.KeyLayout;
import org.crabro.content.storage.layout.TokenLayout;

/**
 * The bytes of a block that a reader of some rows touches. The positions of texts are in arrays of
 * starts, which must be in memory to be read. So the extents of a chunk are computed in up to
 * {@link #STEPS} steps: the caller loads the bytes of each step before the next.
 *
 * @param bytes the block
 * @param directory from its header
 * @param offset of the block in its file; extents are relative to the start of the file
 * @param from the first row that is read
 * @param to the end of the rows, exclusive
 */
record BlockExtents(MemorySegment bytes, BlockDirectory directory, long offset, int from, int to) {
    /** This many steps return all bytes of any chunk. */
    static final int STEPS = 3;

    /** Returns the number of rows of the block. */
    int rows() {
        return directory.rows();
    }

    /** Returns whether all rows are read. Then each chunk is read whole, in one step. */
    boolean isWhole() {
        return from == 0 && to == rows();
    }

    /**
     * Adds the touched bytes of {@code chunk} that are known after the previous steps were loaded.
     */
    void add(int chunk, int step, Extents into) {
        long start = directory.offset(chunk);
        long length = directory.length(chunk);
        int rows = rows();
        if (needsAll(chunk)) {
            if (step == 0) {
                into.add(offset + start, offset + start + length);
            }
            return;
        }
        long values = length;
        if (directory.hasBitmap(chunk)) {
            values -= BlockLayout.bitmapSize(rows);
            if (step == 0) {
                add(into, start + values, from >>> 3, ((to - 1) >>> 3) + 1);
            }
        }
        switch (directory.encoding(chunk)) {
            case KEYS -> addKeys(start, step, into);
            case TIMESTAMPS, INT, LONG, FLOAT, DOUBLE, BOOL, TENSOR, INVERSE_LENGTHS -> {
                if (step == 0) {
                    long width = values / rows;
                    add(into, start, from * width, to * width);
                }
            }
            case TOMBSTONES -> {
                if (step == 0) {
                    add(into, start, from >>> 3, ((to - 1) >>> 3) + 1);
                }
            }
            case TEXT -> addTexts(start, rows, from, to, step, into);
            case FRAMED_TEXT -> addFrames(start, step, into);
            case TOKEN_NUMBERS -> addNumbers(start, length, step, into);
            case GROUPS,
                    CODED_TEXT,
                    ARRAY,
                    WEIGHTED_SET,
                    MAP,
                    STRUCT,
                    MIXED_TENSOR,
                    TOKEN_DICTIONARY ->
                    throw new IllegalStateException("taken whole");
        }
    }

    /**
     * Returns whether a chunk is read whole: if all rows are read, if it is small, or if the bytes
     * of a row are spread over it.
     */
    boolean needsAll(int chunk) {
        return isWhole()
                || directory.length(chunk) <= Extents.PAGE
                || switch (directory.encoding(chunk)) {
                    case GROUPS,
                            CODED_TEXT,
                            ARRAY,
                            WEIGHTED_SET,
                            MAP,
                            STRUCT,
                            MIXED_TENSOR,
                            TOKEN_DICTIONARY ->
                            true;
                    case KEYS,
                            TIMESTAMPS,
                            TOMBSTONES,
                            INT,
                            LONG,
                            FLOAT,
                            DOUBLE,
                            BOOL,
                            TENSOR,
                            INVERSE_LENGTHS,
                            TEXT,
                            FRAMED_TEXT,
                            TOKEN_NUMBERS ->
                            false;
                };
    }

    /**
     * Adds the starts of all texts and the head of the index, then the rest of the index, then the
     * frames.
     */
    private void addFrames(long start, int step, Extents into) {
        int rows = rows();
        long index = 4L * (rows + 1);
        if (step == 0) {
            add(into, start, 0, index + Extents.PAGE);
            return;
        }
        int count = bytes.get(INT, start + index);
        long frames = index + BlockLayout.framesOffset(count);
        if (step == 1 || count < 0 || start + frames > bytes.byteSize()) {
            add(into, start, index, frames);
            return;
        }
        long previousEnd = 0;
        int previousText = 0;
        for (int i = 0; i < count && previousText < to; i++) {
            long entry = start + index + BlockLayout.frame(i);
            int text = bytes.get(INT, entry + BlockLayout.FRAME_TEXT);
            long end = bytes.get(INT, entry + BlockLayout.FRAME_END);
            if (text > from) {
                add(into, start, frames + previousEnd, frames + end);
            }
            previousText = text;
            previousEnd = end;
        }
    }

    /**
     * Adds the head and the starts of the rows; then the words, or the starts and weights of
     * elements and then the words. Damaged starts are ignored here; reading the values reports
     * them.
     */
    private void addNumbers(long start, long length, int step, Extents into) {
        if (step == 0) {
            add(into, start, 0, TokenLayout.STARTS_OFFSET);
            add(into, start, TokenLayout.rowStart(from), TokenLayout.rowStart(to + 1));
            return;
        }
        var numbers = new TokenNumbers(bytes.asSlice(start, length), rows());
        if (!numbers.fits()) {
            return;
        }
        int first = Math.clamp(numbers.elementFrom(from), 0, numbers.elementCount());
        int end = Math.clamp(numbers.elementFrom(to), first, numbers.elementCount());
        if (step == 1 && numbers.hasElements()) {
            add(into, start, numbers.startOffset(first), numbers.startOffset(end + 1));
            if (numbers.hasWeights()) {
                add(into, start, numbers.weightOffset(first), numbers.weightOffset(end));
            }
        } else if (step == (numbers.hasElements() ? 2 : 1)) {
            long firstWord = Integer.toUnsignedLong(numbers.wordFrom(first));
            long endWord = Integer.toUnsignedLong(numbers.wordFrom(end));
            add(into, start, numbers.wordOffset(firstWord), numbers.wordOffset(endWord));
        }
    }

    /** Adds the bytes of the ids, without the document numbers, which only lookups by key read. */
    private void addKeys(long start, int step, Extents into) {
        if (step == 0) {
            add(into, start, 0, KeyLayout.CODES);
            return;
        }
        int codeWidth = bytes.get(ValueLayout.JAVA_BYTE, start + KeyLayout.CODE_WIDTH);
        int startWidth = bytes.get(ValueLayout.JAVA_BYTE, start + KeyLayout.START_WIDTH);
        if (codeWidth < 0 || codeWidth > 4 || startWidth < 2 || startWidth > 4) {
            return;
        }
        int rows = rows();
        long starts = KeyLayout.CODES + (long) codeWidth * rows;
        if (step == 1) {
            long codes = KeyLayout.CODES;
            add(into, start, codes + (long) codeWidth * from, codes + (long) codeWidth * to);
            add(into, start, starts + (long) startWidth * from, starts + startWidth * (to + 1L));
        } else if (start + starts + startWidth * (rows + 1L) <= bytes.byteSize()) {
            long tails = starts + startWidth * (rows + 1L);
            int tailFrom = KeyLayout.number(bytes, start + starts, startWidth, from);
            int tailTo = KeyLayout.number(bytes, start + starts, startWidth, to);
            add(
                    into,
                    start,
                    tails + Integer.toUnsignedLong(tailFrom),
                    tails + Integer.toUnsignedLong(tailTo));
        }
    }

    /**
     * Adds texts whose starts, and one more, are at {@code start}: first the starts, then the
     * bytes.
     */
    private void addTexts(long start, long count, long first, long end, int step, Extents into) {
        if (step == 0) {
            add(into, start, 4 * first, 4 * end + 4);
        } else if (step == 1) {
            long texts = 4 * (count + 1);
            long textFrom = Integer.toUnsignedLong(bytes.get(INT, start + 4 * first));
            long textTo = Integer.toUnsignedLong(bytes.get(INT, start + 4 * end));
            add(into, start, texts + textFrom, texts + textTo);
        }
    }

    /** Adds a range relative to {@code base}, limited to the block even if starts are damaged. */
    private void add(Extents into, long base, long first, long end) {
        long most = bytes.byteSize();
        into.add(offset + Math.min(base + first, most), offset + Math.min(base + end, most));
    }
}
