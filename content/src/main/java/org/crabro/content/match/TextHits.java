package org.crabro.content.match;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import org.crabro.config.schema.MatchMode;
import org.crabro.content.block.column.Column;
import org.crabro.content.block.column.TextReader;
import org.crabro.content.block.token.TokenDictionary;
import org.crabro.content.block.token.TokenNumbers;
import org.crabro.content.match.text.RawTextSearch;
import org.crabro.content.match.text.TextOccurrences;
import org.crabro.content.match.text.TextScan;
import org.crabro.content.match.text.TokenHits;
import org.jspecify.annotations.Nullable;

/**
 * What was found in the texts of one field of the open slice: for every row looked at, how often a
 * pattern occurs and how long the field is. For one thread.
 *
 * <p>Where the block keeps tokens of the field's analysis, its words are looked up in the
 * dictionary, and their numbers are compared, pattern by pattern, in the rows that are asked for.
 * Elsewhere the texts of those rows are tokenised, once for all patterns, or, where the column
 * keeps distinct texts, each of those once. Whichever way, the counts are the same.
 */
public final class TextHits {
    /** What {@link #tokens()} tells where nobody has looked. */
    static final int[] NO_TOKENS = {};

    private final TextScan texts;
    private final BlockScan scan;
    private final TokenHits tokens;
    // Made when texts themselves are looked into.
    private @Nullable RawTextSearch raw;
    private @Nullable TextReader reader;
    private final IntPredicate notByTokens;

    /** Used again for every slice, unless it is kept. */
    private TextOccurrences own;

    private TextOccurrences found;

    /** What was found in the distinct texts of a column, by their codes. */
    private TextOccurrences values;

    private Column.@Nullable CodedTexts valuesOf;
    private int @Nullable [] known;
    private int first;
    private int size;
    private boolean fresh;

    /** By pattern whether all rows of the open slice were looked into. */
    private final boolean[] complete;

    private boolean isDecided;
    private boolean hasTokens;

    TextHits(TextScan texts, BlockScan scan) {
        this.texts = texts;
        this.scan = scan;
        this.tokens = new TokenHits(texts.tokenPatterns(), scan.work());
        this.notByTokens = pattern -> !tokens.knows(pattern);
        this.own = new TextOccurrences(texts.patternCount(), 0);
        this.found = own;
        this.complete = new boolean[texts.patternCount()];
        this.values = new TextOccurrences(texts.patternCount(), 0);
    }

    /**
     * Goes to the rows of a slice.
     *
     * @param kept what was found there before
     * @param keptTokens what {@link #tokens()} told before
     */
    void open(
            int firstRow,
            int rowCount,
            @Nullable TextOccurrences kept,
            int @Nullable [] keptTokens) {
        known = keptTokens;
        first = firstRow;
        size = rowCount;
        fresh = kept == null;
        found = kept == null ? own : kept;
        isDecided = false;
        Arrays.fill(complete, false);
    }

    /** Returns which tokens words of the open slice came to, as {@link TokenHits#tokens()} does. */
    int[] tokens() {
        return isDecided && hasTokens ? tokens.tokens() : NO_TOKENS;
    }

    /** Gives what was found in the open slice away; nothing where nobody has looked. */
    @Nullable TextOccurrences give() {
        if (fresh) {
            return null;
        }
        own = new TextOccurrences(texts.patternCount(), 0);
        return found;
    }

    /**
     * Returns whether the block keeps the tokens that the field would have: then the dictionary
     * tells what no row has to be asked for.
     */
    public boolean hasTokens() {
        if (!isDecided) {
            isDecided = true;
            hasTokens = openTokens();
        }
        return hasTokens;
    }

    private boolean openTokens() {
        if (texts.mode().unit() == MatchMode.Unit.VALUE) {
            return false;
        }
        Optional<TokenDictionary> dictionary = scan.tokenDictionary(texts.field());
        if (dictionary.isEmpty() || dictionary.get().fingerprint() != texts.fingerprint()) {
            return false;
        }
        tokens.open(dictionary.get(), known);
        scan.addBytes(dictionary.get().byteSize());
        return true;
    }

    /** Returns whether a pattern may occur in the open block, as far as no row has to be asked. */
    public boolean isPossible(int pattern) {
        if (texts.mode().unit() == MatchMode.Unit.VALUE) {
            return isAmongValues(pattern);
        }
        return !isKnownByTokens(pattern) || tokens.isPossible(pattern);
    }

    private boolean isKnownByTokens(int pattern) {
        return hasTokens() && tokens.knows(pattern);
    }

    /** Returns how many words all rows of the open block have, which {@link #hasTokens}. */
    public int blockLength() {
        return tokens.dictionary().wordCount();
    }

    /** Returns how many rows of the open block, which {@link #hasTokens}, have words. */
    public int rowsWithWords() {
        return tokens.dictionary().rowsWithWords();
    }

    /**
     * Returns in how many rows of the open block, which {@link #hasTokens}, a pattern occurs; -1
     * where its dictionary does not tell.
     */
    public int documents(int pattern) {
        return tokens.documents(pattern);
    }

    /**
     * Looks for a pattern in the rows in which it was not looked for yet.
     *
     * @param pattern by {@link Matcher#textPatterns}
     * @param rows in rising order
     */
    public void look(int pattern, int[] rows, int count) {
        if (complete[pattern]) {
            return;
        }
        begin();
        if (!isKnownByTokens(pattern)) {
            lookIntoTexts(rows, count);
        } else if (tokens.isPossible(pattern)) {
            takeNumbers();
            compareNumbers(pattern, rows, count);
        }
    }

    /**
     * Writes the rows of the open slice in which a pattern occurs, in rising order, where they are
     * kept. How often it occurs in them is known then.
     *
     * @return how many there are; -1 where they are not kept
     */
    int rows(int pattern, int[] rows) {
        if (!isKnownByTokens(pattern)) {
            return -1;
        }
        if (!tokens.isPossible(pattern)) {
            return 0;
        }
        takeNumbers();
        begin();
        int count = tokens.rows(pattern, scan.slice(), rows, found.occurrences(pattern));
        if (count >= 0) {
            setComplete(pattern);
        }
        return count;
    }

    /** Looks how long the field is in the rows of which that is not known yet. */
    public void lookAtLengths(int[] rows, int count) {
        if (!hasTokens()) {
            begin();
            lookIntoTexts(rows, count);
        }
    }

    /** Returns how often a pattern occurs in a row, in which it was looked for. */
    public int occurrences(int pattern, int row) {
        return found.occurrences(pattern)[row - first];
    }

    /**
     * Returns how many tokens the field has in a row that was looked into; elements where the field
     * is matched by whole values.
     */
    public int length(int row) {
        if (hasTokens()) {
            takeNumbers();
            return tokens.numbers().length(row);
        }
        return found.length(row - first);
    }

    private void begin() {
        if (!fresh) {
            return;
        }
        if (own.size() < size) {
            own = new TextOccurrences(texts.patternCount(), size);
            found = own;
        } else {
            own.clear(size);
        }
        fresh = false;
    }

    private void takeNumbers() {
        if (!tokens.hasNumbers()) {
            TokenNumbers numbers = scan.tokenNumbers(texts.field());
            tokens.take(numbers, scan.postings(texts.field(), tokens.dictionary(), numbers));
        }
    }

    /** Rows that lie side by side are compared in one go. */
    private void compareNumbers(int pattern, int[] rows, int count) {
        long[] looked = found.looked(pattern);
        if (isUntouched(looked)
                && tokens.countByPostings(
                        pattern, first, first + size, found.occurrences(pattern))) {
            setComplete(pattern);
            return;
        }
        int i = 0;
        while (i < count) {
            int from = rows[i++];
            if (TextOccurrences.isNew(looked, from - first)) {
                int to = from + 1;
                while (i < count && rows[i] == to && TextOccurrences.isNew(looked, to - first)) {
                    i++;
                    to++;
                }
                tokens.count(pattern, from, to, found.occurrences(pattern), from - first);
            }
        }
    }

    private void setComplete(int pattern) {
        Arrays.fill(found.looked(pattern), -1L);
        complete[pattern] = true;
    }

    private static boolean isUntouched(long[] looked) {
        for (long bits : looked) {
            if (bits != 0) {
                return false;
            }
        }
        return true;
    }

    private void lookIntoTexts(int[] rows, int count) {
        if (!hasTokens() && texts.mode().unit() == MatchMode.Unit.TOKEN) {
            scan.setTokenized();
        }
        long[] looked = found.looked(texts.patternCount());
        switch (scan.column(texts.field()).orElse(null)) {
            case null -> {}
            case Column.Texts column -> {
                for (int i = 0; i < count; i++) {
                    int row = rows[i];
                    if (TextOccurrences.isNew(looked, row - first) && column.presence().has(row)) {
                        look(column, row, row - first);
                    }
                }
            }
            case Column.Arrays column -> {
                if (column.elements() instanceof Column.Texts elements) {
                    look(column, column::first, elements, rows, count);
                }
            }
            case Column.WeightedSets column -> {
                if (column.elements() instanceof Column.Texts elements) {
                    look(column, column::first, elements, rows, count);
                }
            }
            case Column.Numbers _,
                    Column.Booleans _,
                    Column.Maps _,
                    Column.Structs _,
                    Column.MixedTensors _,
                    Column.DenseTensors _ -> {}
        }
    }

    private void look(
            Column column, IntUnaryOperator firsts, Column.Texts elements, int[] rows, int count) {
        long[] looked = found.looked(texts.patternCount());
        for (int i = 0; i < count; i++) {
            int row = rows[i];
            if (TextOccurrences.isNew(looked, row - first) && column.presence().has(row)) {
                int end = firsts.applyAsInt(row + 1);
                for (int at = firsts.applyAsInt(row); at < end; at++) {
                    look(elements, at, row - first);
                }
            }
        }
    }

    private void look(Column.Texts column, int element, int index) {
        if (column instanceof Column.CodedTexts coded) {
            addValue(coded, coded.code(element), index);
        } else {
            TextReader text = reader();
            text.read(column, element);
            look(text, found, index);
        }
    }

    private TextReader reader() {
        TextReader made = reader;
        if (made == null) {
            made = new TextReader();
            reader = made;
        }
        return made;
    }

    /** Looks into the text that a reader is at. */
    private void look(TextReader text, TextOccurrences into, int index) {
        RawTextSearch sought = raw;
        if (sought == null) {
            sought = new RawTextSearch(texts, scan.work());
            raw = sought;
        }
        MemorySegment bytes = text.bytes();
        if (hasTokens()) {
            sought.lookWithin(bytes, text.offset(), text.length(), notByTokens, into, index);
        } else {
            sought.look(bytes, text.offset(), text.length(), into, index);
        }
    }

    /** Adds what is in one of a column's distinct texts. */
    private void addValue(Column.CodedTexts column, int code, int index) {
        lookIntoValue(column, code);
        found.addLength(index, values.length(code));
        for (int pattern = 0; pattern < texts.patternCount(); pattern++) {
            found.occurrences(pattern)[index] += values.occurrences(pattern)[code];
        }
    }

    /** Looks into one of a column's distinct texts, if nobody has. */
    private void lookIntoValue(Column.CodedTexts column, int code) {
        if (!column.equals(valuesOf)) {
            int count = column.valueCount();
            if (values.size() < count) {
                values = new TextOccurrences(texts.patternCount(), count);
            } else {
                values.clear(count);
            }
            valuesOf = column;
        }
        if (TextOccurrences.isNew(values.looked(texts.patternCount()), code)) {
            TextReader text = reader();
            text.readValue(column, code);
            look(text, values, code);
        }
    }

    /** Returns whether a pattern is in one of the distinct texts of the open block, or may be. */
    private boolean isAmongValues(int pattern) {
        return switch (scan.column(texts.field()).orElse(null)) {
            case null -> false;
            case Column.CodedTexts column -> isAmong(column, pattern);
            case Column.Arrays column -> mayBeAmong(column.elements(), pattern);
            case Column.WeightedSets column -> mayBeAmong(column.elements(), pattern);
            case Column.Texts _ -> true;
            case Column.Numbers _,
                    Column.Booleans _,
                    Column.Maps _,
                    Column.Structs _,
                    Column.MixedTensors _,
                    Column.DenseTensors _ ->
                    false;
        };
    }

    private boolean mayBeAmong(Column elements, int pattern) {
        return !(elements instanceof Column.CodedTexts coded) || isAmong(coded, pattern);
    }

    private boolean isAmong(Column.CodedTexts column, int pattern) {
        for (int code = 0; code < column.valueCount(); code++) {
            lookIntoValue(column, code);
            if (values.occurrences(pattern)[code] > 0) {
                return true;
            }
        }
        return false;
    }
}
