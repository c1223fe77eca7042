package org.crabro.content.storage.index;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.TermState;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.FixedBitSet;

/** A word or a phrase of a query in an index. For one thread. */
public abstract sealed class IndexedWord permits IndexedWord.Forms, IndexedPhrase {
    /** A word with more forms has no frequencies. */
    public static final int FORMS_MAX = 32;

    /** Returns the index of this word among others; -1 if it is none of them. */
    @SuppressWarnings("ReferenceEquality") // A word that is looked up twice is the same object.
    int indexIn(IndexedWord[] words) {
        for (int i = 0; i < words.length; i++) {
            if (words[i] == this) {
                return i;
            }
        }
        return -1;
    }

    /** Returns the most rows that the word can have. */
    public abstract long rowsMax();

    /** Returns whether {@link #rowsMax} is the exact number of rows. */
    abstract boolean isCounted();

    /** Returns whether the rows are found fastest as bits if there are many. */
    abstract boolean hasBits();

    /** Returns the rows with the word, one bit per row, if it {@link #hasBits}. */
    abstract FixedBitSet bits(int rowCount);

    /** Returns the number of live rows with the word. */
    public abstract int count(LiveRows live);

    /** Returns a cursor over the rows with the word, in front of the first. */
    public abstract WordCursor cursor();

    /** Returns the blocks of its postings; empty for a phrase, and if several forms occur. */
    public abstract Optional<WordBlocks> blocks();

    /**
     * A form of a word, and where its postings are.
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

    /** All forms of a word that occur. */
    static final class Forms extends IndexedWord {
        static final Forms ABSENT = new Forms(TermsEnum.EMPTY, List.of());

        private final TermsEnum dictionary;
        private final Term[] forms;
        private final long rowsMax;

        Forms(TermsEnum dictionary, List<Term> forms) {
            this.dictionary = dictionary;
            this.forms = forms.toArray(Term[]::new);
            long rows = 0;
            for (Term form : this.forms) {
                rows += form.rows();
            }
            this.rowsMax = rows;
        }

        @Override
        public long rowsMax() {
            return rowsMax;
        }

        @Override
        boolean isCounted() {
            return forms.length <= 1;
        }

        @Override
        boolean hasBits() {
            return true;
        }

        @Override
        public int count(LiveRows live) {
            return forms.length > 1
                    ? RowSet.ofWord(this, live.rowCount()).count(live)
                    : (int) rowsMax() - deadCount(live);
        }

        private int deadCount(LiveRows live) {
            if (live.isEvery() || forms.length == 0) {
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

        @Override
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

        @Override
        public WordCursor cursor() {
            return cursor(PostingsEnum.FREQS);
        }

        @Override
        public Optional<WordBlocks> blocks() {
            if (forms.length != 1) {
                return Optional.empty();
            }
            try {
                Term form = forms[0];
                dictionary.seekExact(form.text(), form.state());
                return Optional.of(new WordBlocks(this, dictionary.impacts(PostingsEnum.FREQS)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Returns a cursor that knows where the word is in its rows. */
        WordCursor.OfForms positions() {
            return cursor(PostingsEnum.POSITIONS);
        }

        private WordCursor.OfForms cursor(int flags) {
            try {
                var postings = new PostingsEnum[forms.length];
                for (int i = 0; i < postings.length; i++) {
                    Term form = forms[i];
                    dictionary.seekExact(form.text(), form.state());
                    postings[i] = dictionary.postings(null, flags);
                }
                return new WordCursor.OfForms(postings);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
