package org.crabro.content.match.text;

import java.util.Arrays;
import org.crabro.config.schema.MatchMode.Affix;
import org.crabro.content.block.token.TokenDictionary;
import org.crabro.content.block.token.TokenNumbers;
import org.crabro.content.match.cache.Postings;
import org.crabro.content.query.WorkMeter;
import org.crabro.content.read.BlockSlice;
import org.crabro.ranking.kernel.NumberSearch;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of a block that a word of a query stands for: one, those of a range, or, where a word
 * is looked for by its end or a part, a set. Its memory is used again. For one thread.
 */
final class MatchingTokens {
    private static final NumberSearch SEARCH = NumberSearch.best();

    /** Among how many tokens those are that postings are asked for one by one. */
    private static final int POSTINGS_MAX = 256;

    private static final int UNCOUNTED = -1;

    /** The work to read a token of a dictionary, in addition to its bytes. */
    private static final int TOKEN_UNITS = 8;

    private final @Nullable TokenMatcher forms;
    private final WorkMeter work;
    private int low;
    private int high;

    /** In how many rows the only token occurs, where that was looked for. */
    private int documents = UNCOUNTED;

    private boolean isSet;

    /** Where {@link #isSet}, a bit per token. */
    private long[] bits = {};

    /** Tokens in which a part stands more than once, rising, and how often; of {@link #several}. */
    private int[] repeating = {};

    private int[] times = {};
    private int several;

    /**
     * @param forms what tells which tokens are the word; nothing where only equal ones are
     */
    MatchingTokens(@Nullable TokenMatcher forms, WorkMeter work) {
        this.forms = forms;
        this.work = work;
    }

    /** Looks for a word and returns whether there is a token that it stands for. */
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
        return low >= 0 && low <= high;
    }

    /** Stands for one token, which was found before. */
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
            int found = occurrences(cursor, word, affix);
            if (found > 0) {
                add(cursor.number());
                count++;
                if (found > 1) {
                    repeat(cursor.number(), found);
                }
            }
        }
        isSet = count <= high - low;
    }

    /** Of the tokens that begin as the word does, those that are forms of it. */
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

    private void repeat(int number, int found) {
        if (several == repeating.length) {
            int capacity = Math.max(8, 2 * several);
            repeating = Arrays.copyOf(repeating, capacity);
            times = Arrays.copyOf(times, capacity);
        }
        repeating[several] = number;
        times[several++] = found;
    }

    /** Returns whether there is one token, of those that were found. */
    boolean isSingle() {
        return low == high;
    }

    /** Returns the first of the tokens. */
    int low() {
        return low;
    }

    /** Returns about how many rows have one of the tokens, to compare words with each other. */
    int documents(TokenDictionary dictionary) {
        if (low != high) {
            return Integer.MAX_VALUE - 1;
        }
        if (documents == UNCOUNTED) {
            documents = dictionary.documents(low);
        }
        return documents;
    }

    /** Returns whether a token is one of them. */
    boolean is(int number) {
        return number >= low
                && number <= high
                && (!isSet || (bits[number >>> 6] >>> number & 1) != 0);
    }

    /**
     * Writes which words of a run are one of the tokens.
     *
     * @param into as long as the run
     * @return how many there are
     */
    int places(TokenNumbers numbers, int from, int to, int[] into) {
        int count = SEARCH.find(numbers.words(), numbers.width(), from, to, low, high, into);
        if (!isSet) {
            return count;
        }
        int kept = 0;
        for (int i = 0; i < count; i++) {
            int number = numbers.number(into[i]);
            into[kept] = into[i];
            kept += (int) (bits[number >>> 6] >>> number & 1);
        }
        return kept;
    }

    /** Returns how often what is looked for stands in a word, which is one of the tokens. */
    int times(TokenNumbers numbers, int word) {
        return several == 0 ? 1 : timesInToken(numbers.number(word));
    }

    private int timesInToken(int number) {
        int found = Arrays.binarySearch(repeating, 0, several, number);
        return found < 0 ? 1 : times[found];
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
     * Adds how often what is looked for stands in each of some rows that lie side by side, unless
     * it is so many tokens that their numbers are better compared.
     *
     * @param counts receives the occurrences of {@code from} at index 0, and so on
     * @return whether it did
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
