package org.crabro.content.search.match.text;

import java.util.Arrays;
import org.crabro.config.schema.MatchMode.Affix;
import org.crabro.content.search.match.cache.Postings;
import org.crabro.content.storage.block.token.TokenDictionary;
import org.crabro.content.storage.block.token.TokenNumbers;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.content.storage.read.BlockSlice;
import org.jspecify.annotations.Nullable;

/**
 * Finds words and phrases in the token numbers of a block. Each word is looked up once per block;
 * then its numbers are compared in batches. The tokens of a word are known before any token number
 * is read. The memory is reused for every block. For one thread.
 */
public final class TokenHits {
    /** The number of words compared in a batch. */
    private static final int BATCH = 4_096;

    /** The units of work to compare a batch of words. One word is a fraction of a unit. */
    private static final int BATCH_UNITS = BATCH / 8;

    /** The value in {@link #tokens()} of a pattern other than one exact word. */
    private static final int UNKNOWN = -2;

    private static final int ABSENT = -1;
    private static final int[] NONE_KNOWN = {};

    private final TokenPattern[] patterns;
    private final WorkMeter work;
    private final MatchingTokens[][] matching;
    private final boolean[] resolved;
    private final boolean[] possible;

    /** By pattern, the word that is searched first: the rarest. */
    private final int[] leads;

    // Allocated with the length of a batch when numbers are first compared; often postings suffice.
    private int[] places = {};
    private int[] earlierNumbers = NONE_KNOWN;
    private @Nullable TokenDictionary dictionary;
    private @Nullable TokenNumbers numbers;
    private @Nullable Postings postings;

    public TokenHits(TokenPattern[] patterns, WorkMeter work) {
        this.patterns = patterns;
        this.work = work;
        this.matching = new MatchingTokens[patterns.length][];
        for (int i = 0; i < patterns.length; i++) {
            TokenPattern pattern = patterns[i];
            matching[i] = new MatchingTokens[pattern.words().length];
            Arrays.setAll(matching[i], word -> new MatchingTokens(pattern.forms(word, work), work));
        }
        this.resolved = new boolean[patterns.length];
        this.possible = new boolean[patterns.length];
        this.leads = new int[patterns.length];
    }

    /**
     * Opens a block by its token dictionary.
     *
     * @param earlier the result of {@link #tokens()} for the block in an earlier pass; null or
     *     empty if there is none
     */
    public void open(TokenDictionary opened, int @Nullable [] earlier) {
        dictionary = opened;
        earlierNumbers = earlier == null ? NONE_KNOWN : earlier;
        numbers = null;
        postings = null;
        Arrays.fill(resolved, false);
    }

    /** Returns whether the token numbers of the open block were set. */
    public boolean hasNumbers() {
        return numbers != null;
    }

    /**
     * Sets the token numbers of the open block.
     *
     * @param turned the postings of the block, if they are cached
     */
    public void take(TokenNumbers taken, @Nullable Postings turned) {
        numbers = taken;
        postings = turned;
    }

    /**
     * Adds the number of occurrences of a possible pattern in each of some consecutive rows, if
     * postings provide it.
     *
     * @param counts receives the occurrences in row {@code from} at index 0, and so on
     * @return whether the occurrences were added
     */
    public boolean countByPostings(int pattern, int from, int to, int[] counts) {
        return postings != null
                && !hasParts(pattern)
                && matching[pattern].length == 1
                && matching[pattern][0].count(postings, from, to, counts);
    }

    public TokenNumbers numbers() {
        if (numbers == null) {
            throw new IllegalStateException("the numbers were not taken yet");
        }
        return numbers;
    }

    public TokenDictionary dictionary() {
        if (dictionary == null) {
            throw new IllegalStateException("no block is open");
        }
        return dictionary;
    }

    /** Returns whether token numbers suffice to find a pattern. */
    public boolean knows(int pattern) {
        return switch (patterns[pattern].kind()) {
            case WORDS, PARTS, ANY_PART -> true;
            case WITHIN_WORD -> !dictionary().isCut();
            case TEXT -> false;
        };
    }

    private boolean hasParts(int pattern) {
        return switch (patterns[pattern].kind()) {
            case PARTS, ANY_PART -> true;
            case WORDS, WITHIN_WORD, TEXT -> false;
        };
    }

    /**
     * Returns whether the words of a pattern that it requires occur in the open block. Requires
     * {@link #knows}.
     */
    public boolean isPossible(int pattern) {
        if (!resolved[pattern]) {
            resolved[pattern] = true;
            int earlierNumber = earlierNumbers.length == 0 ? UNKNOWN : earlierNumbers[pattern];
            if (earlierNumber >= 0) {
                matching[pattern][0].set(earlierNumber);
            }
            possible[pattern] =
                    earlierNumber >= 0
                            || (earlierNumber == UNKNOWN
                                    && resolve(patterns[pattern], matching[pattern]));
            boolean hasLead = possible[pattern] && !hasParts(pattern);
            leads[pattern] = hasLead ? rarest(matching[pattern]) : 0;
        }
        return possible[pattern];
    }

    /**
     * Returns, by pattern, the token of each pattern of one word in the open block: -1 if the word
     * does not occur, -2 if several tokens may match or the word was not looked up.
     */
    public int[] tokens() {
        var tokens = new int[patterns.length];
        for (int i = 0; i < tokens.length; i++) {
            boolean isOne =
                    resolved[i]
                            && patterns[i].words().length == 1
                            && patterns[i].affix(0) == Affix.WHOLE
                            && (!possible[i] || matching[i][0].isSingle());
            tokens[i] = !isOne ? UNKNOWN : possible[i] ? matching[i][0].low() : ABSENT;
        }
        return tokens;
    }

    private boolean resolve(TokenPattern pattern, MatchingTokens[] words) {
        boolean isAny = pattern.kind() == TokenPattern.Kind.ANY_PART;
        boolean isFound = false;
        for (int i = 0; i < words.length; i++) {
            if (words[i].find(dictionary(), pattern.words()[i], pattern.affix(i))) {
                isFound = true;
            } else if (!isAny) {
                return false;
            }
        }
        return isFound || !isAny;
    }

    /**
     * Returns the number of rows of the open block that contain a pattern, from the dictionary. It
     * is -1 unless the pattern is a single word that matches one token.
     */
    public int documents(int pattern) {
        TokenPattern tokenPattern = patterns[pattern];
        if (tokenPattern.words().length != 1 || tokenPattern.affix(0) != Affix.WHOLE) {
            return -1;
        }
        if (!isPossible(pattern)) {
            return 0;
        }
        MatchingTokens word = matching[pattern][0];
        return word.isSingle() ? word.documents(dictionary()) : -1;
    }

    /**
     * Adds the number of occurrences of a possible pattern in each of some consecutive rows.
     *
     * @param counts receives the occurrences in row {@code from} at index 0, and so on
     */
    public void count(int pattern, int from, int to, int[] counts, int index) {
        MatchingTokens[] words = matching[pattern];
        TokenNumbers all = numbers();
        if (hasParts(pattern)) {
            countParts(pattern, from, to, counts, index);
            return;
        }
        makeRoom();
        int lead = leads[pattern];
        int row = from;
        int end = all.rowStart(to);
        for (int at = all.rowStart(from); at < end; at += BATCH) {
            work.spend(BATCH_UNITS);
            int count = words[lead].places(all, at, Math.min(end, at + BATCH), places);
            work.spend(count, words.length);
            for (int i = 0; i < count; i++) {
                int place = places[i];
                row = rowOf(all, place, row, to);
                counts[index + row - from] +=
                        words.length == 1
                                ? words[0].times(all, place)
                                : isPhrase(all, words, lead, place, row) ? 1 : 0;
            }
        }
    }

    /**
     * Writes the live rows of a slice in which a possible pattern occurs, and the number of
     * occurrences, if the pattern is one token with cached postings.
     *
     * @param counts as for {@link Postings#rows}
     * @return the number of rows; -1 without postings
     */
    public int rows(int pattern, BlockSlice slice, int[] rows, int[] counts) {
        return postings != null && matching[pattern].length == 1
                ? matching[pattern][0].rows(postings, slice, rows, counts)
                : -1;
    }

    private void countParts(int pattern, int from, int to, int[] counts, int index) {
        TokenNumbers all = numbers();
        for (int row = from; row < to; row++) {
            int last = all.hasElements() ? all.elementTo(row) : all.elementFrom(row) + 1;
            for (int element = all.elementFrom(row); element < last; element++) {
                counts[index + row - from] += timesOfParts(pattern, element);
            }
        }
    }

    /**
     * Returns how often grams occur in an element. Together they occur as often as the rarest of
     * them does; any of them occur as often as they do in total.
     */
    private int timesOfParts(int pattern, int element) {
        MatchingTokens[] parts = matching[pattern];
        if (patterns[pattern].kind() == TokenPattern.Kind.ANY_PART) {
            int total = 0;
            for (MatchingTokens part : parts) {
                total += part.isFound() ? times(numbers(), part, element) : 0;
            }
            return total;
        }
        int least = Integer.MAX_VALUE;
        for (int i = 0; i < parts.length && least > 0; i++) {
            least = Math.min(least, times(numbers(), parts[i], element));
        }
        return least;
    }

    private void makeRoom() {
        if (places.length == 0) {
            places = new int[BATCH];
        }
    }

    private int times(TokenNumbers all, MatchingTokens part, int element) {
        makeRoom();
        int times = 0;
        int end = all.wordTo(element);
        for (int at = all.wordFrom(element); at < end; at += BATCH) {
            work.spend(BATCH_UNITS);
            int count = part.places(all, at, Math.min(end, at + BATCH), places);
            for (int i = 0; i < count; i++) {
                times += part.times(all, places[i]);
            }
        }
        return times;
    }

    /**
     * Writes the positions of a possible pattern in some elements.
     *
     * @param from the first element
     * @param to the element after the last
     */
    public void places(int pattern, int from, int to, PositionSink into) {
        MatchingTokens[] words = matching[pattern];
        TokenNumbers all = numbers();
        for (int element = from; element < to; element++) {
            int start = all.wordFrom(element);
            int end = all.wordTo(element);
            if (patterns[pattern].kind() == TokenPattern.Kind.ANY_PART) {
                work.spend(Math.max(0, end - start), words.length);
                for (int at = start; at < end; at++) {
                    addParts(pattern, element - from, at, at - start, into);
                }
                continue;
            }
            if (patterns[pattern].kind() == TokenPattern.Kind.PARTS) {
                int least = timesOfParts(pattern, element);
                for (int i = 0; i < least; i++) {
                    into.add(pattern, element - from, firstPlace(all, words[0], start, end));
                }
                continue;
            }
            work.spend(Math.max(0, end - start), words.length);
            for (int at = start; at + words.length <= end; at++) {
                if (isPhraseAt(all, words, at)) {
                    int times = words.length == 1 ? words[0].times(all, at) : 1;
                    for (int i = 0; i < times; i++) {
                        into.add(pattern, element - from, at - start);
                    }
                }
            }
        }
    }

    /** Writes the position of a word once for each gram that occurs in it. */
    private void addParts(int pattern, int element, int word, int position, PositionSink into) {
        for (MatchingTokens part : matching[pattern]) {
            if (part.isFound() && part.is(numbers().number(word))) {
                for (int i = part.times(numbers(), word); i > 0; i--) {
                    into.add(pattern, element, position);
                }
            }
        }
    }

    private static boolean isPhraseAt(TokenNumbers numbers, MatchingTokens[] words, int start) {
        for (int i = 0; i < words.length; i++) {
            if (!words[i].is(numbers.number(start + i))) {
                return false;
            }
        }
        return true;
    }

    private static int firstPlace(TokenNumbers numbers, MatchingTokens word, int start, int end) {
        int at = start;
        while (at < end && !word.is(numbers.number(at))) {
            at++;
        }
        return at - start;
    }

    /** Receives the positions of patterns. */
    public interface PositionSink {
        /**
         * Adds an occurrence.
         *
         * @param element from 0, the first element of the row
         * @param position of the first word, from 0, the first word of the element
         */
        void add(int pattern, int element, int position);
    }

    /** Returns the row of a word. It is {@code row} or a later one. */
    private static int rowOf(TokenNumbers numbers, int word, int row, int to) {
        if (numbers.rowStart(row + 1) > word) {
            return row;
        }
        int low = row + 1;
        int high = to - 1;
        // In most cases it is one of the next rows.
        int step = 1;
        while (low + step < high && numbers.rowStart(low + step) <= word) {
            low += step;
            step *= 2;
        }
        high = Math.min(high, low + step);
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (numbers.rowStart(middle) <= word) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /** Returns whether the words of a phrase surround one of them, in one element. */
    private static boolean isPhrase(
            TokenNumbers numbers, MatchingTokens[] words, int lead, int place, int row) {
        int element = numbers.elementFrom(row);
        if (numbers.hasElements()) {
            while (numbers.wordTo(element) <= place) {
                element++;
            }
        }
        int start = place - lead;
        if (start < numbers.wordFrom(element) || start + words.length > numbers.wordTo(element)) {
            return false;
        }
        for (int i = 0; i < words.length; i++) {
            if (i != lead && !words[i].is(numbers.number(start + i))) {
                return false;
            }
        }
        return true;
    }

    private int rarest(MatchingTokens[] words) {
        if (words.length == 1) {
            return 0;
        }
        int rarest = 0;
        int least = Integer.MAX_VALUE;
        for (int i = 0; i < words.length; i++) {
            int documents = words[i].documents(dictionary());
            if (documents < least) {
                rarest = i;
                least = documents;
            }
        }
        return rarest;
    }
}
