package org.crabro.content.storage.block.token;

import static org.crabro.content.storage.layout.BlockLayout.INT;
import static org.crabro.content.storage.layout.BlockLayout.SHORT;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.crabro.content.storage.file.ByteOrigin;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.layout.TokenLayout;

/**
 * A view of the tokens of the words in the rows of a block: a number of a {@link TokenDictionary}
 * per word. Words are numbered over the whole block, and so are elements; a row of a field with one
 * text per document is one element. Valid while the view that returned the block is open;
 * thread-safe.
 */
public final class TokenNumbers {
    private final MemorySegment bytes;
    private final int width;
    private final int shift;
    private final boolean hasElements;
    private final boolean hasWeights;
    private final int elements;
    private final long starts;
    private final long weights;
    private final long words;

    /**
     * Created once, because it is read again for every few rows. May be missing in bytes that are
     * not checked yet.
     */
    private final MemorySegment wordBytes;

    /**
     * @param bytes in the layout of {@link TokenLayout}, and checked
     */
    public TokenNumbers(MemorySegment bytes, int rows) {
        this.bytes = bytes;
        this.width = bytes.get(ValueLayout.JAVA_BYTE, TokenLayout.WIDTH_OFFSET);
        this.shift = Integer.numberOfTrailingZeros(width);
        int flags = bytes.get(ValueLayout.JAVA_BYTE, TokenLayout.FLAGS_OFFSET);
        this.hasElements = (flags & TokenLayout.HAS_ELEMENTS) != 0;
        this.hasWeights = (flags & TokenLayout.HAS_WEIGHTS) != 0;
        this.elements = bytes.get(INT, TokenLayout.ELEMENTS_OFFSET);
        this.starts = TokenLayout.STARTS_OFFSET + (hasElements ? 4L * (rows + 1L) : 0);
        this.weights = starts + 4 * (elements + 1L);
        this.words = weights + (hasWeights ? 4L * elements : 0);
        this.wordBytes = bytes.asSlice(Math.clamp(words, 0, bytes.byteSize()));
    }

    /**
     * Checks the structure of some rows in bytes whose crcs are correct, so that readers can rely
     * on it.
     *
     * @param from the first row that is read
     * @param to the end of the rows, exclusive
     * @param offset of {@code bytes} in the block
     * @throws CorruptRunException at the first error
     */
    public static void check(
            MemorySegment bytes, int rows, int from, int to, ByteOrigin origin, long offset) {
        if (bytes.byteSize() < TokenLayout.STARTS_OFFSET) {
            throw origin.corrupt(offset, "token numbers", bytes.byteSize() + " bytes");
        }
        int width = bytes.get(ValueLayout.JAVA_BYTE, TokenLayout.WIDTH_OFFSET);
        if (width != 1 && width != 2 && width != 4) {
            throw origin.corrupt(offset, "numbers of 1, 2 or 4 bytes", width + " bytes");
        }
        int flags = bytes.get(ValueLayout.JAVA_BYTE, TokenLayout.FLAGS_OFFSET);
        if ((flags & ~(TokenLayout.HAS_ELEMENTS | TokenLayout.HAS_WEIGHTS)) != 0) {
            throw origin.corrupt(
                    offset + TokenLayout.FLAGS_OFFSET, "known flags", Integer.toString(flags));
        }
        var numbers = new TokenNumbers(bytes, rows);
        if (!numbers.fits() || (!numbers.hasElements && numbers.elements != rows)) {
            throw origin.corrupt(
                    offset + TokenLayout.ELEMENTS_OFFSET,
                    "numbers of %d rows in %d bytes".formatted(rows, bytes.byteSize()),
                    numbers.elements + " elements");
        }
        int first = from;
        int end = to;
        if (numbers.hasElements) {
            var starts = new Rising(bytes, TokenLayout.STARTS_OFFSET, rows, numbers.elements);
            starts.check(from, to, origin, offset);
            first = numbers.elementFrom(from);
            end = numbers.elementFrom(to);
        }
        long wordCount = (bytes.byteSize() - numbers.words) / width;
        var starts = new Rising(bytes, numbers.starts, numbers.elements, wordCount);
        starts.check(first, end, origin, offset);
    }

    /**
     * The starts of {@code count} items, and one more: ascending from 0 to {@code last}.
     *
     * @param at the offset of the starts
     */
    private record Rising(MemorySegment bytes, long at, int count, long last) {
        void check(int from, int to, ByteOrigin origin, long offset) {
            int least = 0;
            for (int i = from; i <= to; i++) {
                int next = bytes.get(INT, at + 4L * i);
                if (next < least
                        || next > last
                        || (i == 0 && next != 0)
                        || (i == count && next != last)) {
                    throw origin.corrupt(
                            offset + at + 4L * i,
                            "starts that rise from %d to %d".formatted(least, last),
                            Integer.toString(next));
                }
                least = next;
            }
        }
    }

    /** Returns whether starts and weights are inside. */
    public boolean fits() {
        return elements >= 0 && words <= bytes.byteSize();
    }

    public int elementCount() {
        return elements;
    }

    public boolean hasWeights() {
        return hasWeights;
    }

    /** Returns the offset of the start of an element. */
    public long startOffset(int element) {
        return starts + 4L * element;
    }

    /** Returns the offset of the weight of an element. */
    public long weightOffset(int element) {
        return weights + 4L * element;
    }

    /** Returns the offset of a word. */
    public long wordOffset(long word) {
        return words + (word << shift);
    }

    MemorySegment bytes() {
        return bytes;
    }

    /** Returns the size of the numbers for the cost record, in bytes. */
    public long byteSize() {
        return bytes.byteSize();
    }

    /** Returns the numbers of all words, {@link #width()} bytes each, unsigned. */
    public MemorySegment words() {
        return wordBytes;
    }

    /** Returns the width of a number in bytes: 1, 2 or 4. */
    public int width() {
        return width;
    }

    /** Returns whether a row may have zero or several elements. */
    public boolean hasElements() {
        return hasElements;
    }

    /** Returns the first element of a row. */
    public int elementFrom(int row) {
        return hasElements ? bytes.get(INT, TokenLayout.STARTS_OFFSET + 4L * row) : row;
    }

    /** Returns the end of the elements of a row, exclusive. */
    public int elementTo(int row) {
        return elementFrom(row + 1);
    }

    /** Returns the first word of an element. */
    public int wordFrom(int element) {
        return bytes.get(INT, starts + 4L * element);
    }

    /** Returns the end of the words of an element, exclusive. */
    public int wordTo(int element) {
        return wordFrom(element + 1);
    }

    /** Returns the first word of a row; for the row after the last, the number of words. */
    public int rowStart(int row) {
        return wordFrom(elementFrom(row));
    }

    /** Returns the number of words of a row. */
    public int length(int row) {
        return rowStart(row + 1) - rowStart(row);
    }

    /** Returns the weight of an element; 1 if elements have no weights. */
    public int weight(int element) {
        return hasWeights ? bytes.get(INT, weights + 4L * element) : 1;
    }

    /** Returns the token of a word. */
    public int number(int word) {
        long at = words + ((long) word << shift);
        return switch (width) {
            case 1 -> bytes.get(ValueLayout.JAVA_BYTE, at) & 0xff;
            case 2 -> bytes.get(SHORT, at) & 0xffff;
            default -> bytes.get(INT, at);
        };
    }

    /**
     * Copies the tokens of some words.
     *
     * @param into receives the token of word {@code from} at index 0, and so on
     */
    public void copyNumbers(int from, int to, int[] into) {
        MemorySegment part = wordBytes.asSlice((long) from << shift, (long) (to - from) << shift);
        int count = to - from;
        switch (width) {
            case 1 -> {
                for (int i = 0; i < count; i++) {
                    into[i] = part.get(ValueLayout.JAVA_BYTE, i) & 0xff;
                }
            }
            case 2 -> {
                for (int i = 0; i < count; i++) {
                    into[i] = part.get(SHORT, 2L * i) & 0xffff;
                }
            }
            default -> MemorySegment.copy(part, INT, 0, into, 0, count);
        }
    }
}
