package org.crabro.content.search.match;

import java.util.Optional;
import org.crabro.content.search.match.text.TextScan;
import org.crabro.content.storage.index.IndexedWord;
import org.crabro.content.storage.index.RowLengths;
import org.crabro.content.storage.index.SectionIndex;

/** The words of a query in the index of a section. For one thread. */
public final class SectionWords {
    private final Matcher matcher;
    private final SectionIndex index;
    private final IndexedSearch.Lookup lookup;

    SectionWords(Matcher matcher, SectionIndex index, IndexedSearch.Lookup lookup) {
        this.matcher = matcher;
        this.index = index;
        this.lookup = lookup;
    }

    /** Returns whether the index has the words of a field and their numbers. */
    public boolean hasWords(int scanned) {
        return lookup.hasWords(scan(scanned));
    }

    /**
     * Returns a word; empty if the index does not know how often it occurs in each row.
     *
     * @param scanned by {@link Matcher#textScan}
     * @param pattern by {@link Matcher#textPatterns}
     */
    public Optional<IndexedWord> word(int scanned, int pattern) {
        return lookup.word(scan(scanned), pattern);
    }

    /** Returns the number of words of a field in all rows. */
    public long wordTotal(int scanned) {
        return index.wordTotal(scan(scanned).name());
    }

    /** Returns the number of rows that have words in a field. */
    public int rowsWithWords(int scanned) {
        return index.rowsWithWords(scan(scanned).name());
    }

    /** Returns the numbers of words of a field. */
    public RowLengths lengths(int scanned) {
        return index.lengths(scan(scanned).name());
    }

    private TextScan scan(int scanned) {
        return matcher.textScans().get(scanned);
    }
}
