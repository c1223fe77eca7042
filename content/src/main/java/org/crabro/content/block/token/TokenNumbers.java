package org.crabro.content.block.token;

import static org.crabro.content.layout.BlockLayout.INT;
import static org.crabro.content.layout.BlockLayout.SHORT;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.crabro.content.file.ByteOrigin;
import org.crabro.content.file.CorruptRunException;
import org.crabro.content.layout.TokenLayout;

/**
 * Which tokens stand where in the rows of a block: numbers of a {@link TokenDictionary}, one for
 * each word, where they lie in a mapping or in memory. Words are counted over the whole block, and
 * so are elements; a row of a field that has one text a document is one element. Valid as long as
 * the view that gave the block is open; any thread may ask.
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

    /** Made once: it is asked for again for every few rows. Bytes to be checked may have none. */
    private final MemorySegment wordBytes;

    /**
     * @param bytes laid out as {@link TokenLayout} tells, and checked
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
     * Checks that what a reader of some rows relies on holds, of bytes whose crcs are right.
     *
     * @param from the first row that is read
     * @param to the row behind the last
     * @param offset of {@code bytes} in the block
     * @throws CorruptRunException at the first thing that is wrong
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
     * Starts of {@code count} things, and one more: from 0 to {@code last}.
     *
     * @param at where they lie
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

    /** Returns whether starts and weights lie inside. */
    public boolean fits() {
        return elements >= 0 && words <= bytes.byteSize();
    }

    public int elementCount() {
        return elements;
    }

    public boolean hasWeights() {
        return hasWeights;
    }

    /** Returns where the start of an element is told. */
    public long startOffset(int element) {
        return starts + 4L * element;
    }

    /** Returns where the weight of an element is told. */
    public long weightOffset(int element) {
        return weights + 4L * element;
    }

    /** Returns where a word lies. */
    public long wordOffset(long word) {
        return words + (word << shift);
    }

    MemorySegment bytes() {
        return bytes;
    }

    /** Returns the bytes of the numbers, for the cost record. */
    public long byteSize() {
        return bytes.byteSize();
    }

    /** Returns the numbers of all words, {@link #width()} bytes each, unsigned. */
    public MemorySegment words() {
        return wordBytes;
    }

    /** Returns the bytes of a number: 1, 2 or 4. */
    public int width() {
        return width;
    }

    /** Returns whether a row may have other than one element. */
    public boolean hasElements() {
        return hasElements;
    }

    /** Returns the first element of a row. */
    public int elementFrom(int row) {
        return hasElements ? bytes.get(INT, TokenLayout.STARTS_OFFSET + 4L * row) : row;
    }

    /** Returns the element behind the last of a row. */
    public int elementTo(int row) {
        return elementFrom(row + 1);
    }

    /** Returns the first word of an element. */
    public int wordFrom(int element) {
        return bytes.get(INT, starts + 4L * element);
    }

    /** Returns the word behind the last of an element. */
    public int wordTo(int element) {
        return wordFrom(element + 1);
    }

    /** Returns the first word of a row; of the row behind the last, the word behind all. */
    public int rowStart(int row) {
        return wordFrom(elementFrom(row));
    }

    /** Returns how many words a row has. */
    public int length(int row) {
        return rowStart(row + 1) - rowStart(row);
    }

    /** Returns the weight of an element; 1 where elements have none. */
    public int weight(int element) {
        return hasWeights ? bytes.get(INT, weights + 4L * element) : 1;
    }

    /** Returns the number of the token that a word is. */
    public int number(int word) {
        long at = words + ((long) word << shift);
        return switch (width) {
            case 1 -> bytes.get(ValueLayout.JAVA_BYTE, at) & 0xff;
            case 2 -> bytes.get(SHORT, at) & 0xffff;
            default -> bytes.get(INT, at);
        };
    }

    /**
     * Writes the numbers of the tokens that some words are.
     *
     * @param into receives that of word {@code from} at index 0, and so on
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
