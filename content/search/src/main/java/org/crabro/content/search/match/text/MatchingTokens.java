package org.crabro.content.search.match.text;

import java.util.Arrays;
import org.crabro.config.schema.MatchMode.Affix;
import org.crabro.content.search.match.cache.Postings;
import org.crabro.content.storage.block.token.TokenDictionary;
import org.crabro.content.storage.block.token.TokenNumbers;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.ranking.kernel.NumberSearch;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of a block that match a word of a query: one token, a range, or, for a word searched
 * by its end or a part of it, a set. The memory is reused. For one thread.
 */
final class MatchingTokens {
    private static final NumberSearch SEARCH = NumberSearch.best();

    /** The maximum number of tokens for which postings are read one token at a time. */
    private static final int POSTINGS_MAX = 256;

    private static final int UNCOUNTED = -1;

    /** The units of work to read a token of a dictionary, in addition to its bytes. */
    private static final int TOKEN_UNITS = 8;

    private final @Nullable TokenMatcher forms;
    private final WorkMeter work;
    private int low;
    private int high;

    /** The number of rows that contain the only token, if it was computed. */
    private int documents = UNCOUNTED;

    private boolean isSet;

    /** One bit per token, if {@link #isSet}. */
    private long[] bits = {};

    /**
     * Tokens that contain the searched part more than once, in rising order, and how often they do.
     * {@link #several} entries are used.
     */
    private int[] repeating = {};

    private int[] times = {};
    private int several;

    /**
     * @param forms matches other forms of the word; null if only equal tokens match
     */
    MatchingTokens(@Nullable TokenMatcher forms, WorkMeter work) {
        this.forms = forms;
        this.work = work;
    }

    /** Finds the tokens that match a word and returns whether there are any. */
    boolean find(TokenDictionary dictionary, byte[] word, Affix affix) {
        isSet = false;
        several = 0;
        documents = UNCOUNTED;
        switch (affix) {
            case WHOLE -> {
                if (forms == null) {
                    long counted = dictionary.findWithDocuments(word);
                    low = counted < 0 ? -1 : (int) counted;
                    high = low;
                    documents = counted < 0 ? UNCOUNTED : (int) (counted >>> Integer.SIZE);
                } else {
                    collect(dictionary, forms);
                }
            }
            case PREFIX -> {
                low = dictionary.firstNotBefore(word);
                high = dictionary.endOfPrefix(word) - 1;
            }
            case SUFFIX, SUBSTRING -> collect(dictionary, word, affix);
        }
        return isFound();
    }

    /** Returns whether a token matches. */
    boolean isFound() {
        return low >= 0 && low <= high;
    }

    /** Sets one token, which was found before. */
    void set(int token) {
        isSet = false;
        several = 0;
        documents = UNCOUNTED;
        low = token;
        high = token;
    }

    private void collect(TokenDictionary dictionary, byte[] word, Affix affix) {
        clear(dictionary);
        int count = 0;
        TokenDictionary.Cursor cursor = dictionary.cursor();
        while (cursor.next()) {
            work.spend(TOKEN_UNITS + cursor.length());
            int times = occurrences(cursor, word, affix);
            if (times > 0) {
                add(cursor.number());
                count++;
                if (times > 1) {
                    repeat(cursor.number(), times);
                }
            }
        }
        isSet = count <= high - low;
    }

    /** Collects the matching forms among the tokens with the same beginning as the word. */
    private void collect(TokenDictionary dictionary, TokenMatcher wanted) {
        clear(dictionary);
        byte[] beginning = wanted.beginning();
        int number = dictionary.firstNotBefore(beginning);
        int end = dictionary.endOfPrefix(beginning);
        int count = 0;
        TokenDictionary.Cursor cursor = dictionary.cursor();
        for (; number < end; number++) {
            cursor.go(number);
            work.spend(TOKEN_UNITS + cursor.length());
            if (wanted.fits(cursor.buffer(), cursor.length())) {
                add(number);
                count++;
            }
        }
        isSet = count <= high - low;
    }

    private void clear(TokenDictionary dictionary) {
        int length = (dictionary.size() + Long.SIZE - 1) / Long.SIZE;
        if (bits.length < length) {
            bits = new long[length];
        } else {
            Arrays.fill(bits, 0, length, 0);
        }
        low = -1;
        high = -2;
    }

    private void add(int number) {
        bits[number >>> 6] |= 1L << number;
        low = low < 0 ? number : low;
        high = number;
    }

    private int occurrences(TokenDictionary.Cursor cursor, byte[] word, Affix affix) {
        byte[] token = cursor.buffer();
        int last = cursor.length() - word.length;
        if (last < 0) {
            return 0;
        }
        if (affix == Affix.SUFFIX) {
            return stands(word, token, last) ? 1 : 0;
        }
        return RawTextSearch.count(token, cursor.length(), word, work);
    }

    private static boolean stands(byte[] word, byte[] token, int at) {
        return Arrays.equals(word, 0, word.length, token, at, at + word.length);
    }

    private void repeat(int number, int count) {
        if (several == repeating.length) {
            int capacity = Math.max(8, 2 * several);
            repeating = Arrays.copyOf(repeating, capacity);
            times = Arrays.copyOf(times, capacity);
        }
        repeating[several] = number;
        times[several++] = count;
    }

    /** Returns whether exactly one of the found tokens matches. */
    boolean isSingle() {
        return low == high;
    }

    /** Returns the first of the tokens. */
    int low() {
        return low;
    }

    /**
     * Returns the approximate number of rows that contain one of the tokens. Used only to compare
     * words with each other.
     */
    int documents(TokenDictionary dictionary) {
        if (low != high) {
            return Integer.MAX_VALUE - 1;
        }
        if (documents == UNCOUNTED) {
            documents = dictionary.documents(low);
        }
        return documents;
    }

    /** Returns whether a token is one of the matching tokens. */
    boolean is(int number) {
        return number >= low
                && number <= high
                && (!isSet || (bits[number >>> 6] >>> number & 1) != 0);
    }

    /**
     * Finds the words of a range that are one of the tokens.
     *
     * @param into receives their positions; as long as the range
     * @return the number of positions
     */
    int places(TokenNumbers numbers, int from, int to, int[] into) {
        int count = SEARCH.find(numbers.words(), numbers.width(), from, to, low, high, into);
        if (!isSet) {
            return count;
        }
        int passed = 0;
        for (int i = 0; i < count; i++) {
            int number = numbers.number(into[i]);
            into[passed] = into[i];
            passed += (int) (bits[number >>> 6] >>> number & 1);
        }
        return passed;
    }

    /** Returns how often the searched text occurs in a word, which is one of the tokens. */
    int times(TokenNumbers numbers, int word) {
        return several == 0 ? 1 : timesInToken(numbers.number(word));
    }

    private int timesInToken(int number) {
        int index = Arrays.binarySearch(repeating, 0, several, number);
        return index < 0 ? 1 : times[index];
    }

    /**
     * Writes the live rows of a slice that contain the token, and the number of occurrences, if it
     * is a single token.
     *
     * @param counts as for {@link Postings#rows}
     * @return the number of rows; -1 if there are several tokens
     */
    int rows(Postings postings, BlockSlice slice, int[] rows, int[] counts) {
        return isSingle() ? postings.rows(low, timesInToken(low), slice, rows, counts) : -1;
    }

    /**
     * Adds the number of occurrences in each of some consecutive rows, from postings. Does nothing
     * if there are so many tokens that comparing token numbers is faster.
     *
     * @param counts receives the occurrences in row {@code from} at index 0, and so on
     * @return whether the occurrences were added
     */
    boolean count(Postings postings, int from, int to, int[] counts) {
        if (high - low >= POSTINGS_MAX) {
            return false;
        }
        for (int token = low; token <= high; token++) {
            if (is(token)) {
                postings.count(token, timesInToken(token), from, to, counts);
            }
        }
        return true;
    }
}
