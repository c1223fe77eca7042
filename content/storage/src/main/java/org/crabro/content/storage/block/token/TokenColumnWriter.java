package org.crabro.content.storage.block.token;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.crabro.content.storage.layout.BlockBytes;
import org.crabro.content.storage.layout.BlockLayout;
import org.crabro.content.storage.layout.TokenLayout;
import org.crabro.text.TextAnalysis;
import org.crabro.text.Tokenizer;

/**
 * Writes the texts of a field as the chunks of a token column, row by row, in the layout of {@link
 * TokenLayout}. It is reused for the next block; nothing is allocated per row or token once its
 * memory has grown. For one thread.
 *
 * {@snippet :
 * for (Row row : rows) {
 *     for (Text element : row.elements()) {
 *         writer.element(element.segment(), element.offset(), element.length());
 *     }
 *     writer.endRow();
 * }
 * writer.finish();
 * block.put(writer.dictionary());
 * block.put(writer.numbers());
 * }
 */
public final class TokenColumnWriter {
    private static final VarHandle SHORTS =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    /**
     * Per token: the start and length of its text, the number of rows that contain it, and the last
     * of them.
     */
    private static final int STRIDE = 4;

    private static final int LENGTH = 1;
    private static final int DOCUMENTS = 2;
    private static final int LAST_ROW = 3;

    /** A longer array, grown for an exceptionally large row, is freed. */
    private static final int KEPT_MAX = 1 << 22;

    private final long fingerprint;
    private final boolean hasElements;
    private final boolean hasWeights;
    private final Tokenizer tokenizer;
    private final TokenOrder sorter = new TokenOrder();
    private final TokenMapping copied = new TokenMapping(this);

    /*
     * The tokens of the block, numbered in the order of insertion: an open-addressing table, at most
     * half full. An entry is the upper 32 bits of the hash, which also select its slot, over the
     * number plus 1; 0 for a free slot.
     */
    private long[] table = new long[1 << 12];
    private int[] tokens = new int[STRIDE << 10];
    private long[] hashes = new long[1 << 10];
    private byte[] texts = new byte[1 << 13];
    private int tokenCount;
    private int textEnd;
    private int longest;

    // The words of the rows so far, by token number; the starts of elements and rows.
    private int[] words = new int[1 << 12];
    private int wordCount;
    private int[] starts = new int[BlockLayout.ROWS_MAX + 1];
    private int[] weights = {};
    private int elementCount;
    private int[] firsts = new int[BlockLayout.ROWS_MAX + 1];
    private int rowCount;
    private int rowStart;
    private int rowsWithTokens;
    private boolean isCut;

    private final BlockBytes dictionary = new BlockBytes(1 << 13);
    private byte[] numbers = {};
    private int numbersLength;

    /**
     * @param analysis of the words
     * @param hasElements whether a row may have zero or several texts
     * @param hasWeights whether elements have weights; the default is 1
     */
    public TokenColumnWriter(TextAnalysis analysis, boolean hasElements, boolean hasWeights) {
        if (hasWeights && !hasElements) {
            throw new IllegalArgumentException("weights without elements");
        }
        this.fingerprint = TextAnalysis.fingerprint(analysis);
        this.hasElements = hasElements;
        this.hasWeights = hasWeights;
        this.tokenizer = new Tokenizer(analysis);
    }

    /** Returns the fingerprint of the analysis that produced the tokens. */
    public long fingerprint() {
        return fingerprint;
    }

    public int rowCount() {
        return rowCount;
    }

    /** Adds an element to the current row: {@code length} bytes of UTF-8 text. */
    public void element(MemorySegment text, long offset, int length) {
        tokenizer.set(text, offset, length);
        addWords(length);
        endElement(1);
    }

    /** Adds an element with a weight. */
    public void element(MemorySegment text, long offset, int length, int weight) {
        tokenizer.set(text, offset, length);
        addWords(length);
        endElement(weight);
    }

    /** Adds an element to the current row: {@code length} bytes of UTF-8 text. */
    public void element(byte[] text, int offset, int length) {
        tokenizer.set(text, offset, length);
        addWords(length);
        endElement(1);
    }

    /** Ends a row and begins the next. A row without a value has no elements. */
    public void endRow() {
        if (!hasElements && elementCount == rowCount) {
            endElement(1);
        }
        if (!hasElements && elementCount != rowCount + 1) {
            throw new IllegalStateException("a row of more than one text");
        }
        rowsWithTokens += wordCount > rowStart ? 1 : 0;
        rowStart = wordCount;
        rowCount++;
        firsts = grown(firsts, rowCount + 1);
        firsts[rowCount] = elementCount;
    }

    /**
     * Adds a row of another column of the same analysis, without its text.
     *
     * @param source the same object for all rows of a block: the mapping of its tokens is cached
     */
    public void copyRow(TokenColumn source, int row) {
        if (source.dictionary().fingerprint() != fingerprint) {
            throw new IllegalArgumentException(
                    "tokens of analysis %016x, not %016x"
                            .formatted(source.dictionary().fingerprint(), fingerprint));
        }
        TokenNumbers from = source.numbers();
        copied.open(source);
        isCut |= source.dictionary().isCut();
        int end = from.elementTo(row);
        for (int element = from.elementFrom(row); element < end; element++) {
            int last = from.wordTo(element);
            for (int at = from.wordFrom(element); at < last; at++) {
                add(copied.token(from.number(at)));
            }
            endElement(from.weight(element));
        }
        endRow();
    }

    private void addWords(int length) {
        isCut |= length > Tokenizer.TEXT_LENGTH_MAX;
        Tokenizer from = tokenizer;
        while (from.next()) {
            add(token(from.buffer(), 0, from.length(), from.hash()));
        }
    }

    private void add(int token) {
        if (wordCount == words.length) {
            words = Arrays.copyOf(words, 2 * wordCount);
        }
        words[wordCount++] = token;
        int record = token * STRIDE;
        if (tokens[record + LAST_ROW] != rowCount) {
            tokens[record + LAST_ROW] = rowCount;
            tokens[record + DOCUMENTS]++;
        }
    }

    private void endElement(int weight) {
        elementCount++;
        starts = grown(starts, elementCount + 1);
        starts[elementCount] = wordCount;
        if (hasWeights) {
            weights = grown(weights, elementCount);
            weights[elementCount - 1] = weight;
        }
    }

    /** Returns the number of a token; assigns a new one if needed. */
    int token(byte[] text, int offset, int length, long hash) {
        int tag = (int) (hash >>> Integer.SIZE);
        int mask = table.length - 1;
        int at = tag & mask;
        while (true) {
            long entry = table[at];
            if (entry == 0) {
                return newToken(text, offset, length, tag, at, hash);
            }
            if ((int) (entry >>> Integer.SIZE) == tag) {
                int token = (int) entry - 1;
                if (isToken(token, text, offset, length, hash)) {
                    return token;
                }
            }
            at = (at + 1) & mask;
        }
    }

    /**
     * The hash distinguishes short words of the same length: most words need no further comparison.
     */
    private boolean isToken(int token, byte[] text, int offset, int length, long hash) {
        int record = token * STRIDE;
        if (tokens[record + LENGTH] != length || hashes[token] != hash) {
            return false;
        }
        int start = tokens[record];
        return length <= Long.BYTES
                || Arrays.equals(texts, start, start + length, text, offset, offset + length);
    }

    private int newToken(byte[] text, int offset, int length, int tag, int at, long hash) {
        int token = tokenCount++;
        table[at] = (long) tag << Integer.SIZE | tokenCount;
        if (2 * tokenCount > table.length) {
            enlargeTable();
        }
        // The sorter reads eight bytes at a time.
        int needed = Math.addExact(textEnd, length) + Long.BYTES;
        if (needed > texts.length) {
            texts = Arrays.copyOf(texts, Math.max(needed, 2 * texts.length));
        }
        System.arraycopy(text, offset, texts, textEnd, length);
        int record = token * STRIDE;
        tokens = grown(tokens, record + STRIDE);
        tokens[record] = textEnd;
        tokens[record + LENGTH] = length;
        tokens[record + DOCUMENTS] = 0;
        tokens[record + LAST_ROW] = -1;
        if (token == hashes.length) {
            hashes = Arrays.copyOf(hashes, 2 * token);
        }
        hashes[token] = hash;
        textEnd += length;
        longest = Math.max(longest, length);
        return token;
    }

    private void enlargeTable() {
        long[] larger = new long[2 * table.length];
        int mask = larger.length - 1;
        for (long entry : table) {
            if (entry != 0) {
                int at = (int) (entry >>> Integer.SIZE) & mask;
                while (larger[at] != 0) {
                    at = (at + 1) & mask;
                }
                larger[at] = entry;
            }
        }
        table = larger;
    }

    /** Writes the chunks of the rows so far, and begins the next block. */
    public void finish() {
        int[] order = sorter.sort(texts, tokens, STRIDE, tokenCount);
        writeDictionary(order);
        // The tokens' texts are not needed any more: store the final number in place of the start.
        for (int number = 0; number < tokenCount; number++) {
            tokens[order[number] * STRIDE] = number;
        }
        writeNumbers();
        clear();
    }

    /** Returns the dictionary of the last finished block, until the next one is finished. */
    public ByteBuffer dictionary() {
        return dictionary.written();
    }

    /** Returns the numbers of the last finished block, until the next one is finished. */
    public ByteBuffer numbers() {
        return ByteBuffer.wrap(numbers, 0, numbersLength).slice().order(ByteOrder.LITTLE_ENDIAN);
    }

    private void writeDictionary(int[] order) {
        BlockBytes out = dictionary;
        out.clear();
        out.putLong(fingerprint);
        out.putInt(tokenCount);
        out.putInt(wordCount);
        out.putInt(rowsWithTokens);
        out.putInt(isCut ? TokenLayout.IS_CUT : 0);
        out.putInt(longest);
        out.putInt(0);
        out.putZeros(4 * TokenLayout.restarts(tokenCount));
        int entries = out.position();
        int before = 0;
        int beforeLength = 0;
        for (int number = 0; number < tokenCount; number++) {
            int record = order[number] * STRIDE;
            int start = tokens[record];
            int length = tokens[record + LENGTH];
            int shared = 0;
            if (number % TokenLayout.RESTART_INTERVAL == 0) {
                int restart = number / TokenLayout.RESTART_INTERVAL;
                out.setInt(TokenLayout.RESTARTS_OFFSET + 4 * restart, out.position() - entries);
            } else {
                shared =
                        Arrays.mismatch(
                                texts, before, before + beforeLength, texts, start, start + length);
            }
            writeEntry(out, shared, start, length, tokens[record + DOCUMENTS]);
            before = start;
            beforeLength = length;
        }
    }

    private void writeEntry(BlockBytes out, int shared, int start, int length, int documents) {
        int suffix = length - shared;
        int control =
                Math.min(shared, TokenLayout.SHARED_MAX) << TokenLayout.SHARED_SHIFT
                        | Math.min(suffix - 1, TokenLayout.SUFFIX_MAX);
        out.putByte(documents > 1 ? control | TokenLayout.DOCUMENTS_BIT : control);
        if (shared >= TokenLayout.SHARED_MAX) {
            putVarint(out, shared - TokenLayout.SHARED_MAX);
        }
        if (suffix - 1 >= TokenLayout.SUFFIX_MAX) {
            putVarint(out, suffix - 1 - TokenLayout.SUFFIX_MAX);
        }
        if (documents > 1) {
            putVarint(out, documents);
        }
        out.put(texts, start + shared, suffix);
    }

    private static void putVarint(BlockBytes out, int value) {
        int remaining = value;
        while (remaining >= 0x80) {
            out.putByte(remaining | 0x80);
            remaining >>>= 7;
        }
        out.putByte(remaining);
    }

    private void writeNumbers() {
        int width = TokenLayout.width(tokenCount);
        int flags =
                (hasElements ? TokenLayout.HAS_ELEMENTS : 0)
                        | (hasWeights ? TokenLayout.HAS_WEIGHTS : 0);
        long length =
                TokenLayout.STARTS_OFFSET
                        + (hasElements ? 4L * (rowCount + 1) : 0)
                        + 4L * (elementCount + 1)
                        + (hasWeights ? 4L * elementCount : 0)
                        + (long) width * wordCount;
        numbersLength = Math.toIntExact(length);
        if (numbers.length < numbersLength) {
            numbers = new byte[numbersLength + numbersLength / 4];
        }
        numbers[TokenLayout.WIDTH_OFFSET] = (byte) width;
        numbers[TokenLayout.FLAGS_OFFSET] = (byte) flags;
        SHORTS.set(numbers, 2, (short) 0);
        INTS.set(numbers, TokenLayout.ELEMENTS_OFFSET, elementCount);
        int at = TokenLayout.STARTS_OFFSET;
        if (hasElements) {
            at = put(firsts, rowCount + 1, at);
        }
        at = put(starts, elementCount + 1, at);
        if (hasWeights) {
            at = put(weights, elementCount, at);
        }
        putWords(at, width);
    }

    private int put(int[] values, int count, int from) {
        int at = from;
        for (int i = 0; i < count; i++) {
            INTS.set(numbers, at, values[i]);
            at += Integer.BYTES;
        }
        return at;
    }

    private void putWords(int from, int width) {
        byte[] out = numbers;
        int[] numberOf = tokens;
        int at = from;
        for (int i = 0; i < wordCount; i++) {
            int number = numberOf[words[i] * STRIDE];
            switch (width) {
                case 1 -> out[at] = (byte) number;
                case 2 -> SHORTS.set(out, at, (short) number);
                default -> INTS.set(out, at, number);
            }
            at += width;
        }
    }

    private void clear() {
        copied.clear();
        if (table.length > KEPT_MAX || words.length > KEPT_MAX || texts.length > KEPT_MAX) {
            table = new long[1 << 12];
            tokens = new int[STRIDE << 10];
            hashes = new long[1 << 10];
            texts = new byte[1 << 13];
            words = new int[1 << 12];
        } else {
            Arrays.fill(table, 0);
        }
        tokenCount = 0;
        textEnd = 0;
        longest = 0;
        wordCount = 0;
        elementCount = 0;
        rowCount = 0;
        rowStart = 0;
        rowsWithTokens = 0;
        isCut = false;
    }

    private static int[] grown(int[] array, int needed) {
        return needed <= array.length
                ? array
                : Arrays.copyOf(array, Math.max(needed, 2 * array.length));
    }
}
