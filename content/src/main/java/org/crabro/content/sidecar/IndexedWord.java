package org.crabro.content.sidecar;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.TermState;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.FixedBitSet;

/** A word of a query in an index: all forms of it that occur. For one thread. */
public final class IndexedWord {
    /** A word with more forms has no frequencies. */
    public static final int FORMS_MAX = 32;

    static final IndexedWord ABSENT = new IndexedWord(TermsEnum.EMPTY, List.of());

    private final TermsEnum dictionary;
    private final List<Term> forms;

    /**
     * A form, and where its postings are.
     *
     * @param rows the number of rows that have it
     */
    record Term(BytesRef text, TermState state, int rows) {
        /** Returns the current term. */
        static Term of(TermsEnum current) throws IOException {
            return new Term(
                    BytesRef.deepCopyOf(current.term()), current.termState(), current.docFreq());
        }
    }

    IndexedWord(TermsEnum dictionary, List<Term> forms) {
        this.dictionary = dictionary;
        this.forms = List.copyOf(forms);
    }

    /** Returns the most rows that the word can have: the exact number, if it has one form. */
    public long rowsMax() {
        long rows = 0;
        for (Term form : forms) {
            rows += form.rows();
        }
        return rows;
    }

    /** Returns whether at most one form of the word occurs. */
    boolean isOneForm() {
        return forms.size() <= 1;
    }

    /** Returns the number of live rows with the word. */
    public int count(LiveRows live) {
        return forms.size() > 1
                ? RowSet.ofWord(this, live.rowCount()).count(live)
                : (int) rowsMax() - deadCount(live);
    }

    private int deadCount(LiveRows live) {
        if (live.isEvery() || forms.isEmpty()) {
            return 0;
        }
        int count = 0;
        WordCursor cursor = cursor();
        int row = live.nextDead(0);
        while (row != WordCursor.END) {
            int next = cursor.row() < row ? cursor.advance(row) : cursor.row();
            count += next == row ? 1 : 0;
            row = next == WordCursor.END ? next : live.nextDead(next == row ? row + 1 : next);
        }
        return count;
    }

    /** Returns the rows with the word, one bit per row. */
    FixedBitSet bits(int rowCount) {
        try {
            var rows = new FixedBitSet(rowCount);
            PostingsEnum postings = null;
            for (Term form : forms) {
                dictionary.seekExact(form.text(), form.state());
                postings = dictionary.postings(postings, PostingsEnum.NONE);
                rows.or(postings);
            }
            return rows;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a cursor over the rows with the word, in front of the first. */
    public WordCursor cursor() {
        try {
            var postings = new PostingsEnum[forms.size()];
            for (int i = 0; i < postings.length; i++) {
                Term form = forms.get(i);
                dictionary.seekExact(form.text(), form.state());
                postings[i] = dictionary.postings(null, PostingsEnum.FREQS);
            }
            return new WordCursor(postings);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
