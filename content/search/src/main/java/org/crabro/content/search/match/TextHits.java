package org.crabro.content.search.match;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import org.crabro.config.schema.MatchMode;
import org.crabro.content.search.match.text.RawTextSearch;
import org.crabro.content.search.match.text.TextOccurrences;
import org.crabro.content.search.match.text.TextScan;
import org.crabro.content.search.match.text.TokenHits;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.column.TextReader;
import org.crabro.content.storage.block.token.TokenDictionary;
import org.crabro.content.storage.block.token.TokenNumbers;
import org.jspecify.annotations.Nullable;

/**
 * The results found in the texts of one field of the open slice: for every row searched, how often
 * each pattern occurs and how many words the field has. For one thread.
 *
 * <p>If the block stores tokens of the field's analysis, the words of the query are looked up in
 * the dictionary. Then their token numbers are compared, pattern by pattern, in the requested rows.
 * Otherwise the texts of those rows are tokenized once for all patterns. If the column stores
 * distinct texts, each of those is tokenized once. The counts are the same in all cases.
 */
public final class TextHits {
    /** The value of {@link #tokens()} before the first search. */
    static final int[] NO_TOKENS = {};

    private final TextScan texts;
    private final BlockScan scan;
    private final TokenHits tokens;
    // Created when texts are read.
    private @Nullable RawTextSearch raw;
    private @Nullable TextReader reader;
    private final IntPredicate notByTokens;

    /** Reused for every slice, unless the results are stored. */
    private TextOccurrences own;

    private TextOccurrences occurrences;

    /** The results found in the distinct texts of a column, by their codes. */
    private TextOccurrences values;

    private Column.@Nullable CodedTexts valuesOf;
    private int @Nullable [] earlierTokens;
    private int first;
    private int size;
    private boolean fresh;

    /** By pattern, whether all rows of the open slice were searched. */
    private final boolean[] complete;

    private boolean isDecided;
    private boolean hasTokens;

    TextHits(TextScan texts, BlockScan scan) {
        this.texts = texts;
        this.scan = scan;
        this.tokens = new TokenHits(texts.tokenPatterns(), scan.work());
        this.notByTokens = pattern -> !tokens.knows(pattern);
        this.own = new TextOccurrences(texts.patternCount(), 0);
        this.occurrences = own;
        this.complete = new boolean[texts.patternCount()];
        this.values = new TextOccurrences(texts.patternCount(), 0);
    }

    /**
     * Opens the rows of a slice.
     *
     * @param cached the results of an earlier pass
     * @param cachedTokens the value of {@link #tokens()} in an earlier pass
     */
    void open(
            int firstRow,
            int rowCount,
            @Nullable TextOccurrences cached,
            int @Nullable [] cachedTokens) {
        earlierTokens = cachedTokens;
        first = firstRow;
        size = rowCount;
        fresh = cached == null;
        occurrences = cached == null ? own : cached;
        isDecided = false;
        Arrays.fill(complete, false);
        if (scan.isImported(texts.field())) {
            // The column is in the same memory as that of the last slice, and would seem equal.
            valuesOf = null;
        }
    }

    /**
     * Returns the token numbers of the query's words in the open slice, as {@link
     * TokenHits#tokens()} does.
     */
    int[] tokens() {
        return isDecided && hasTokens ? tokens.tokens() : NO_TOKENS;
    }

    /** Detaches and returns the results of the open slice; null if it was not searched. */
    @Nullable TextOccurrences give() {
        if (fresh) {
            return null;
        }
        own = new TextOccurrences(texts.patternCount(), 0);
        return occurrences;
    }

    /**
     * Returns whether the block stores tokens of the field's current analysis. Then its dictionary
     * answers questions without reading rows.
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
        tokens.open(dictionary.get(), earlierTokens);
        scan.addBytes(dictionary.get().byteSize());
        return true;
    }

    /** Returns whether a pattern may occur in the open block. Reads no rows. */
    public boolean isPossible(int pattern) {
        if (scan.isPart(texts.field())) {
            return true;
        }
        if (texts.mode().unit() == MatchMode.Unit.VALUE) {
            return isAmongValues(pattern);
        }
        return !isKnownByTokens(pattern) || tokens.isPossible(pattern);
    }

    private boolean isKnownByTokens(int pattern) {
        return hasTokens() && tokens.knows(pattern);
    }

    /**
     * Returns the number of words of the field in all rows of the open block. Requires {@link
     * #hasTokens}.
     */
    public int blockLength() {
        return tokens.dictionary().wordCount();
    }

    /**
     * Returns the number of rows of the open block that have words in the field. Requires {@link
     * #hasTokens}.
     */
    public int rowsWithWords() {
        return tokens.dictionary().rowsWithWords();
    }

    /**
     * Returns the number of rows of the open block that contain a pattern; -1 if its dictionary
     * does not have this number. Requires {@link #hasTokens}.
     */
    public int documents(int pattern) {
        return tokens.documents(pattern);
    }

    /**
     * Searches a pattern in those rows that were not searched for it yet.
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
     * Writes the rows of the open slice in which a pattern occurs, in rising order, from cached
     * postings. Also stores how often it occurs in them.
     *
     * @return the number of rows; -1 if no postings are cached
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
        int count = tokens.rows(pattern, scan.slice(), rows, occurrences.occurrences(pattern));
        if (count >= 0) {
            setComplete(pattern);
        }
        return count;
    }

    /** Computes the length of the field for those rows for which it is not known yet. */
    public void lookAtLengths(int[] rows, int count) {
        if (!hasTokens()) {
            begin();
            lookIntoTexts(rows, count);
        }
    }

    /** Returns how often a pattern occurs in a row that was searched for it. */
    public int occurrences(int pattern, int row) {
        return occurrences.occurrences(pattern)[row - first];
    }

    /**
     * Returns the number of tokens of the field in a row that was searched. For a field matched by
     * whole values it is the number of elements.
     */
    public int length(int row) {
        if (hasTokens()) {
            takeNumbers();
            return tokens.numbers().length(row);
        }
        return occurrences.length(row - first);
    }

    private void begin() {
        if (!fresh) {
            return;
        }
        if (own.size() < size) {
            own = new TextOccurrences(texts.patternCount(), size);
            occurrences = own;
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

    /** Compares consecutive rows in one call. */
    private void compareNumbers(int pattern, int[] rows, int count) {
        long[] looked = occurrences.looked(pattern);
        if (isUntouched(looked)
                && tokens.countByPostings(
                        pattern, first, first + size, occurrences.occurrences(pattern))) {
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
                tokens.count(pattern, from, to, occurrences.occurrences(pattern), from - first);
            }
        }
    }

    private void setComplete(int pattern) {
        Arrays.fill(occurrences.looked(pattern), -1L);
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
        long[] looked = occurrences.looked(texts.patternCount());
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
            case Column.FixedWidth _, Column.Nested _ -> {}
        }
    }

    private void look(
            Column column, IntUnaryOperator firsts, Column.Texts elements, int[] rows, int count) {
        long[] looked = occurrences.looked(texts.patternCount());
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
            look(text, occurrences, index);
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

    /** Searches the current text of a reader. */
    private void look(TextReader text, TextOccurrences into, int index) {
        RawTextSearch search = raw;
        if (search == null) {
            search = new RawTextSearch(texts, scan.work());
            raw = search;
        }
        MemorySegment bytes = text.bytes();
        if (hasTokens()) {
            search.lookWithin(bytes, text.offset(), text.length(), notByTokens, into, index);
        } else {
            search.look(bytes, text.offset(), text.length(), into, index);
        }
    }

    /** Adds the results of one of a column's distinct texts. */
    private void addValue(Column.CodedTexts column, int code, int index) {
        lookIntoValue(column, code);
        occurrences.addLength(index, values.length(code));
        for (int pattern = 0; pattern < texts.patternCount(); pattern++) {
            occurrences.occurrences(pattern)[index] += values.occurrences(pattern)[code];
        }
    }

    /** Searches one of a column's distinct texts, unless it was searched before. */
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

    /**
     * Returns whether a pattern occurs, or may occur, in one of the distinct texts of the open
     * block.
     */
    private boolean isAmongValues(int pattern) {
        return switch (scan.column(texts.field()).orElse(null)) {
            case null -> false;
            case Column.CodedTexts column -> isAmong(column, pattern);
            case Column.Arrays column -> mayBeAmong(column.elements(), pattern);
            case Column.WeightedSets column -> mayBeAmong(column.elements(), pattern);
            case Column.Texts _ -> true;
            case Column.FixedWidth _, Column.Nested _ -> false;
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
