package org.crabro.content.search.rank;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.crabro.content.search.match.BlockScan;
import org.crabro.content.search.match.SectionWords;
import org.crabro.content.search.match.TermCondition;
import org.crabro.content.search.match.TextHits;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.index.LiveRows;
import org.crabro.content.storage.index.RowLengths;
import org.crabro.content.storage.index.WordCursor;
import org.crabro.content.storage.read.BlockSlice;
import org.jspecify.annotations.Nullable;

/**
 * Counts words over the live rows of slices, for statistics. All counts are whole numbers. So the
 * result does not depend on the order of slices or the number of threads. For one thread.
 */
public final class TextCounts {
    private static final int[] NO_ROWS = {};

    private final List<SearchedText> texts;
    private final List<SearchedKeys> keys;
    private final long[][] documentsByKey;
    private final long[] tokens;
    private final long[] documentsWithText;
    private final long[] elements;
    private final long[][] documentsByTerm;
    private long documents;

    /**
     * @param texts the fields to count in
     * @param keys the weighted sets to count in
     */
    TextCounts(List<SearchedText> texts, List<SearchedKeys> keys) {
        this.texts = texts;
        this.keys = keys;
        this.documentsByKey = new long[keys.size()][];
        for (int i = 0; i < keys.size(); i++) {
            documentsByKey[i] = new long[keys.get(i).conditions().size()];
        }
        this.tokens = new long[texts.size()];
        this.documentsWithText = new long[texts.size()];
        this.elements = new long[texts.size()];
        this.documentsByTerm = new long[texts.size()][];
        for (int i = 0; i < texts.size(); i++) {
            documentsByTerm[i] = new long[texts.get(i).termCount()];
        }
    }

    /** Returns how many rows were counted. */
    public long documents() {
        return documents;
    }

    /**
     * Counts the live rows of the open slice. If the slice is a whole block with stored tokens, the
     * counts come from its dictionary, and only dead rows are read and subtracted.
     */
    public void add(BlockScan scan) {
        BlockSlice slice = scan.slice();
        boolean isBlock = slice.from() == 0 && slice.to() == slice.block().rowCount();
        int liveCount = slice.liveCount();
        int deadCount = slice.to() - slice.from() - liveCount;
        boolean isMostlyAlive = isBlock && deadCount < liveCount;
        int[] dead = deadCount == 0 ? NO_ROWS : scan.borrow();
        slice.dead().dead(slice.from(), slice.to(), dead);
        documents += liveCount;
        for (int text = 0; text < texts.size(); text++) {
            SearchedText searched = texts.get(text);
            TextHits hits = scan.textHits(searched.scanned());
            boolean isCounted = isMostlyAlive && hits.hasTokens();
            if (isCounted) {
                addLengths(text, hits.blockLength(), hits.rowsWithWords());
                addLengths(text, hits, dead, deadCount, -1);
            }
            for (int term = 0; term < searched.termCount(); term++) {
                int pattern = searched.pattern(term);
                int ofBlock = isCounted ? hits.documents(pattern) : -1;
                if (ofBlock >= 0) {
                    int ofDead = documents(hits, pattern, dead, deadCount);
                    documentsByTerm[text][term] += ofBlock - ofDead;
                } else {
                    // Written again for each term, which costs little compared with searching the
                    // rows.
                    scan.live();
                    documentsByTerm[text][term] += documents(hits, pattern, scan.rows(), liveCount);
                }
            }
            if (!isCounted) {
                scan.live();
                addLengths(text, hits, scan.rows(), liveCount, 1);
            }
            if (searched.elements().isPresent()) {
                scan.live();
                elements[text] +=
                        elements(
                                scan.column(searched.elements().getAsInt()).orElse(null),
                                scan.rows(),
                                liveCount);
            }
        }
        if (deadCount > 0) {
            scan.giveBack(dead);
        }
        for (int set = 0; set < keys.size(); set++) {
            List<TermCondition> conditions = keys.get(set).conditions();
            for (int i = 0; i < conditions.size(); i++) {
                scan.live();
                documentsByKey[set][i] += conditions.get(i).narrow(scan, scan.rows(), liveCount);
            }
        }
    }

    /**
     * Counts the live rows of a section by its index.
     *
     * @return whether they were counted; otherwise the index does not know all words
     */
    public boolean add(SectionWords words, LiveRows live) {
        if (!keys.isEmpty()) {
            return false;
        }
        for (SearchedText text : texts) {
            if (text.elements().isPresent() || !text.isIn(words)) {
                return false;
            }
        }
        documents += live.count();
        for (int text = 0; text < texts.size(); text++) {
            SearchedText searched = texts.get(text);
            int scanned = searched.scanned();
            addLengths(text, words.wordTotal(scanned), words.rowsWithWords(scanned));
            subtractDead(text, words.lengths(scanned), live);
            for (int term = 0; term < searched.termCount(); term++) {
                documentsByTerm[text][term] +=
                        words.word(scanned, searched.pattern(term)).orElseThrow().count(live);
            }
        }
        return true;
    }

    private void subtractDead(int text, RowLengths lengths, LiveRows live) {
        for (int row = live.nextDead(0); row != WordCursor.END; row = live.nextDead(row + 1)) {
            int length = lengths.length(row);
            addLengths(text, -length, length > 0 ? -1 : 0);
        }
    }

    /** Returns the number of elements of some rows; a value that is no collection counts as one. */
    private static long elements(@Nullable Column column, int[] rows, int count) {
        if (column == null) {
            return 0;
        }
        long elements = 0;
        for (int i = 0; i < count; i++) {
            int row = rows[i];
            elements += column.presence().has(row) ? elements(column, row) : 0;
        }
        return elements;
    }

    private static int elements(Column column, int row) {
        return switch (column) {
            case Column.Arrays arrays -> arrays.first(row + 1) - arrays.first(row);
            case Column.WeightedSets sets -> sets.first(row + 1) - sets.first(row);
            case Column.Texts _ -> 1;
            case Column.FixedWidth _, Column.Nested _ -> 0;
        };
    }

    private void addLengths(int text, long wordCount, long rowsWithWords) {
        tokens[text] += wordCount;
        documentsWithText[text] += rowsWithWords;
    }

    /**
     * Adds or subtracts the lengths of rows.
     *
     * @param sign 1 or -1
     */
    private void addLengths(int text, TextHits hits, int[] rows, int count, int sign) {
        if (count == 0) {
            return;
        }
        hits.lookAtLengths(rows, count);
        long words = 0;
        long withWords = 0;
        for (int i = 0; i < count; i++) {
            int length = hits.length(rows[i]);
            words += length;
            withWords += length > 0 ? 1 : 0;
        }
        addLengths(text, sign * words, sign * withWords);
    }

    /** Returns how many of some rows contain a pattern. */
    private static int documents(TextHits hits, int pattern, int[] rows, int count) {
        if (count == 0) {
            return 0;
        }
        hits.look(pattern, rows, count);
        int matching = 0;
        for (int i = 0; i < count; i++) {
            matching += hits.occurrences(pattern, rows[i]) > 0 ? 1 : 0;
        }
        return matching;
    }

    /** Adds the counts of another thread for the same query. */
    public void add(TextCounts that) {
        documents += that.documents;
        for (int text = 0; text < tokens.length; text++) {
            tokens[text] += that.tokens[text];
            documentsWithText[text] += that.documentsWithText[text];
            elements[text] += that.elements[text];
            for (int term = 0; term < documentsByTerm[text].length; term++) {
                documentsByTerm[text][term] += that.documentsByTerm[text][term];
            }
        }
        for (int set = 0; set < documentsByKey.length; set++) {
            for (int i = 0; i < documentsByKey[set].length; i++) {
                documentsByKey[set][i] += that.documentsByKey[set][i];
            }
        }
    }

    /** Returns the statistics of each field, by its name. */
    Map<String, TextStatistics> statistics() {
        var statistics = new LinkedHashMap<String, TextStatistics>();
        for (int i = 0; i < texts.size(); i++) {
            statistics.put(texts.get(i).field(), statistics(i));
        }
        for (int i = 0; i < keys.size(); i++) {
            List<Long> byKey = Arrays.stream(documentsByKey[i]).boxed().toList();
            statistics.put(keys.get(i).field(), new TextStatistics(documents, 1, 1, byKey));
        }
        return statistics;
    }

    private TextStatistics statistics(int text) {
        double average =
                documentsWithText[text] == 0 ? 1 : (double) tokens[text] / documentsWithText[text];
        List<Long> byTerm = Arrays.stream(documentsByTerm[text]).boxed().toList();
        double ofElement =
                elements[text] == 0 || tokens[text] == 0
                        ? 1
                        : (double) tokens[text] / elements[text];
        return new TextStatistics(documents, average, ofElement, byTerm);
    }
}
