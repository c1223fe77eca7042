package org.crabro.content.storage.block.token;

import static org.crabro.content.storage.layout.BlockLayout.INT;
import static org.crabro.content.storage.layout.BlockLayout.LONG;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.crabro.content.storage.file.ByteOrigin;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.layout.TokenLayout;
import org.jspecify.annotations.Nullable;

/**
 * A view of the distinct tokens of a searched text in a block, numbered from 0 in the order of
 * their bytes. Valid while the view that returned the block is open; thread-safe.
 */
public final class TokenDictionary {
    /** The number of lookups before an index of token heads is built. */
    private static final int LOOKS_BEFORE = 16;

    private final MemorySegment bytes;
    private final int size;
    private final long entries;

    // Created after many lookups; threads that race create equal ones, or lose a count.
    private int looks;
    private @Nullable TokenHeads heads;

    /**
     * @param bytes in the layout of {@link TokenLayout}, and checked
     */
    public TokenDictionary(MemorySegment bytes) {
        this.bytes = bytes;
        this.size = bytes.get(INT, TokenLayout.TOKENS_OFFSET);
        this.entries = TokenLayout.entriesOffset(size);
    }

    /**
     * Checks the structure of bytes whose crc is correct, so that readers can rely on it.
     *
     * @param offset of {@code bytes} in the block
     * @throws CorruptRunException at the first error
     */
    public static void check(MemorySegment bytes, int rows, ByteOrigin origin, long offset) {
        if (bytes.byteSize() < TokenLayout.RESTARTS_OFFSET) {
            throw origin.corrupt(offset, "a dictionary", bytes.byteSize() + " bytes");
        }
        int size = bytes.get(INT, TokenLayout.TOKENS_OFFSET);
        // An entry has at least two bytes.
        if (size < 0 || TokenLayout.entriesOffset(size) + 2L * size > bytes.byteSize()) {
            throw origin.corrupt(
                    offset + TokenLayout.TOKENS_OFFSET,
                    "a dictionary of %d bytes".formatted(bytes.byteSize()),
                    "a dictionary of %d tokens".formatted(size));
        }
        int rowsWithTokens = bytes.get(INT, TokenLayout.ROWS_OFFSET);
        if (rowsWithTokens < 0 || rowsWithTokens > rows) {
            throw origin.corrupt(
                    offset + TokenLayout.ROWS_OFFSET,
                    "at most %d rows".formatted(rows),
                    Integer.toString(rowsWithTokens));
        }
        long last = -1;
        long end = bytes.byteSize() - TokenLayout.entriesOffset(size);
        for (int restart = 0; restart < TokenLayout.restarts(size); restart++) {
            long at = TokenLayout.RESTARTS_OFFSET + 4L * restart;
            int start = bytes.get(INT, at);
            if (start <= last || start >= end) {
                throw origin.corrupt(
                        offset + at, "a restart after %d".formatted(last), "a restart at " + start);
            }
            last = start;
        }
    }

    /**
     * Returns the fingerprint of the analysis that produced the tokens, as in {@code TextAnalysis}.
     */
    public long fingerprint() {
        return bytes.get(LONG, TokenLayout.FINGERPRINT_OFFSET);
    }

    /** Returns the number of tokens. */
    public int size() {
        return size;
    }

    /** Returns the total number of words of all rows. */
    public int wordCount() {
        return bytes.get(INT, TokenLayout.LENGTH_OFFSET);
    }

    /** Returns the number of rows with words. */
    public int rowsWithWords() {
        return bytes.get(INT, TokenLayout.ROWS_OFFSET);
    }

    MemorySegment bytes() {
        return bytes;
    }

    /**
     * Returns whether a text may have words that are missing here, because it exceeded the length
     * limit.
     */
    public boolean isCut() {
        return (bytes.get(INT, TokenLayout.CUT_OFFSET) & TokenLayout.IS_CUT) != 0;
    }

    /** Returns the size of the dictionary for the cost record, in bytes. */
    public long byteSize() {
        return bytes.byteSize();
    }

    /**
     * Returns the number of a token or, if it is missing, -1 minus the number of the next token.
     */
    public int find(byte[] token) {
        return size == 0 ? -1 : find(token, new Entry());
    }

    /**
     * Returns the number of a token in the lower half, and the number of rows that contain it in
     * the upper half; a negative number if the token is missing.
     */
    public long findWithDocuments(byte[] token) {
        if (size == 0) {
            return -1;
        }
        var entry = new Entry();
        int index = find(token, entry);
        return index < 0 ? index : (long) entry.documents << Integer.SIZE | index;
    }

    private int find(byte[] token, Entry entry) {
        int low = 0;
        int high = TokenLayout.restarts(size) - 1;
        TokenHeads cached = heads();
        if (cached != null) {
            long head = TokenHeads.head(token);
            low = cached.lastBefore(head);
            high = Math.min(high, cached.firstBehind(head, low));
        }
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            entry.restart(middle);
            if (entry.compareSuffix(token, 0) <= 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return find(token, low, entry);
    }

    /** Returns the index of token heads, once it pays off; null before. */
    private @Nullable TokenHeads heads() {
        TokenHeads cached = heads;
        if (cached == null && ++looks > LOOKS_BEFORE) {
            var entry = new Entry();
            cached =
                    TokenHeads.of(
                            TokenLayout.restarts(size),
                            restart -> {
                                entry.restart(restart);
                                return entry.head();
                            });
            heads = cached;
        }
        return cached;
    }

    /**
     * Searches for a token from a restart on. The length of the prefix that an entry shares with
     * the previous one usually decides the comparison without reading the bytes: all previous
     * entries are before the token.
     */
    private int find(byte[] token, int restart, Entry entry) {
        entry.restart(restart);
        int common = 0;
        while (true) {
            if (entry.shared < common) {
                return -entry.number - 1;
            }
            if (entry.shared == common) {
                int order = entry.compareSuffix(token, common);
                if (order == 0) {
                    return entry.number;
                }
                if (order > 0) {
                    return -entry.number - 1;
                }
                common += entry.matched;
            }
            if (entry.number + 1 == size) {
                return -size - 1;
            }
            entry.next();
        }
    }

    /** Returns the number of the first token that is not before {@code token}. */
    public int firstNotBefore(byte[] token) {
        int index = find(token);
        return index >= 0 ? index : -index - 1;
    }

    /** Returns the number after the last token that begins with {@code prefix}. */
    public int endOfPrefix(byte[] prefix) {
        if (prefix.length == 0) {
            return size;
        }
        // No byte of UTF-8 is 0xff, so the last byte can be incremented.
        byte[] behind = prefix.clone();
        behind[behind.length - 1]++;
        return firstNotBefore(behind);
    }

    /** Returns the number of rows that contain a token. */
    public int documents(int number) {
        var entry = new Entry();
        entry.go(number);
        return entry.documents;
    }

    /** Returns a cursor over the tokens, positioned before the first. */
    public Cursor cursor() {
        return new Cursor();
    }

    /** Reads one entry after another, without the shared prefix. */
    private final class Entry {
        private int number;
        private int shared;
        private int suffixLength;
        private int documents;
        private long suffix;
        private long end;
        private int matched;

        void restart(int restart) {
            number = restart * TokenLayout.RESTART_INTERVAL;
            end = entries + bytes.get(INT, TokenLayout.RESTARTS_OFFSET + 4L * restart);
            read();
        }

        void next() {
            number++;
            read();
        }

        void go(int wanted) {
            restart(wanted / TokenLayout.RESTART_INTERVAL);
            while (number < wanted) {
                next();
            }
        }

        private void read() {
            int control = bytes.get(ValueLayout.JAVA_BYTE, end++);
            int sharing = control >>> TokenLayout.SHARED_SHIFT & TokenLayout.SHARED_MAX;
            shared = sharing == TokenLayout.SHARED_MAX ? sharing + varint() : sharing;
            int low = control & TokenLayout.SUFFIX_MAX;
            suffixLength = 1 + (low == TokenLayout.SUFFIX_MAX ? low + varint() : low);
            documents = (control & TokenLayout.DOCUMENTS_BIT) != 0 ? varint() : 1;
            suffix = end;
            end += suffixLength;
        }

        private int varint() {
            int value = 0;
            int shift = 0;
            byte next = bytes.get(ValueLayout.JAVA_BYTE, end++);
            while (next < 0) {
                value |= (next & 0x7f) << shift;
                shift += 7;
                next = bytes.get(ValueLayout.JAVA_BYTE, end++);
            }
            return value | next << shift;
        }

        /**
         * Returns the head of a token at a restart, which shares no prefix with the previous token.
         */
        long head() {
            long head = 0;
            for (int i = 0; i < Math.min(suffixLength, Long.BYTES); i++) {
                long next = bytes.get(ValueLayout.JAVA_BYTE, suffix + i) & 0xffL;
                head |= next << (Long.SIZE - Byte.SIZE * (i + 1));
            }
            return head;
        }

        /** Compares the suffix with {@code token} from {@code from} on. */
        int compareSuffix(byte[] token, int from) {
            int remaining = token.length - from;
            int both = Math.min(suffixLength, remaining);
            int i = 0;
            while (i < both) {
                byte mine = bytes.get(ValueLayout.JAVA_BYTE, suffix + i);
                byte other = token[from + i];
                if (mine != other) {
                    matched = i;
                    return (mine & 0xff) - (other & 0xff);
                }
                i++;
            }
            matched = both;
            return suffixLength - remaining;
        }
    }

    /** A cursor over tokens with their texts. For one thread. */
    public final class Cursor {
        private final Entry entry = new Entry();
        private final Entry probe = new Entry();
        private byte[] text = new byte[Math.max(1, bytes.get(INT, TokenLayout.LONGEST_OFFSET))];
        private int number = -1;

        /** Moves to the next token; returns false if there is none. */
        public boolean next() {
            if (number + 1 == size) {
                return false;
            }
            if (number < 0) {
                entry.restart(0);
            } else {
                entry.next();
            }
            take();
            return true;
        }

        /**
         * Moves to the next token that does not begin with the same bytes as the current one. The
         * tokens in between are not read, and most of their entries are not, either.
         *
         * @param prefix the number of these bytes, at least 1
         * @return false if there is none
         */
        public boolean skip(int prefix) {
            int next = entry.number / TokenLayout.RESTART_INTERVAL + 1;
            if (length() >= prefix && beginsAlike(next, prefix)) {
                entry.restart(lastAlike(next, prefix));
            }
            do {
                if (entry.number + 1 == size) {
                    return false;
                }
                entry.next();
            } while (entry.shared >= prefix);
            take();
            return true;
        }

        /** Returns the last restart whose token begins as that of a restart that does. */
        private int lastAlike(int restart, int prefix) {
            int alike = restart;
            int step = 1;
            while (beginsAlike(alike + step, prefix)) {
                alike += step;
                step *= 2;
            }
            for (; step > 0; step /= 2) {
                if (beginsAlike(alike + step, prefix)) {
                    alike += step;
                }
            }
            return alike;
        }

        /** Returns whether there is a restart, and its token begins as the current one. */
        private boolean beginsAlike(int restart, int prefix) {
            if (restart >= TokenLayout.restarts(size)) {
                return false;
            }
            probe.restart(restart);
            if (probe.suffixLength < prefix) {
                return false;
            }
            for (int i = 0; i < prefix; i++) {
                if (bytes.get(ValueLayout.JAVA_BYTE, probe.suffix + i) != text[i]) {
                    return false;
                }
            }
            return true;
        }

        /** Moves to a token. */
        public void go(int wanted) {
            int restart = wanted / TokenLayout.RESTART_INTERVAL;
            if (number < 0 || wanted < number || restart > number / TokenLayout.RESTART_INTERVAL) {
                entry.restart(restart);
                take();
            }
            while (number < wanted) {
                entry.next();
                take();
            }
        }

        private void take() {
            int length = entry.shared + entry.suffixLength;
            if (text.length < length) {
                text = Arrays.copyOf(text, length);
            }
            MemorySegment.copy(
                    bytes,
                    ValueLayout.JAVA_BYTE,
                    entry.suffix,
                    text,
                    entry.shared,
                    entry.suffixLength);
            number = entry.number;
        }

        /** Returns the token's number. */
        public int number() {
            return number;
        }

        /** Returns the token's text from index 0 on, until the cursor moves. */
        public byte[] buffer() {
            return text;
        }

        /** Returns the length of the token in bytes. */
        public int length() {
            return entry.shared + entry.suffixLength;
        }

        /** Returns the number of rows that contain the token. */
        public int documents() {
            return entry.documents;
        }
    }
}
