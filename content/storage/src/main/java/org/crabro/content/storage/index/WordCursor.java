package org.crabro.content.storage.index;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.search.DocIdSetIterator;

/** A cursor over the rows with a word or a phrase, in rising order. For one thread. */
public abstract sealed class WordCursor
        permits WordCursor.OfForms, IndexedPhrase.Search, IndexedPhrase.Match {
    /** The row after the last. */
    public static final int END = DocIdSetIterator.NO_MORE_DOCS;

    /** Returns the current row; -1 in front of the first, {@link #END} after the last. */
    public abstract int row();

    /**
     * Goes to the first row from {@code target} on that may have the word.
     *
     * @param target after the current row
     * @return the new row
     */
    public abstract int advance(int target);

    /** Returns whether the current row has the word. */
    public abstract boolean isMatch();

    /** Returns how often the word occurs in the current row, which {@linkplain #isMatch has it}. */
    public abstract int frequency();

    /** Returns whether a row has the word, which must not be before the current row. */
    public final boolean isAt(int row) {
        return (row() < row ? advance(row) : row()) == row && isMatch();
    }

    /** The rows with one of the forms of a word. */
    static final class OfForms extends WordCursor {
        private final PostingsEnum[] forms;
        private int row = -1;

        OfForms(PostingsEnum[] forms) {
            this.forms = forms;
        }

        @Override
        public int row() {
            return row;
        }

        @Override
        public int advance(int target) {
            try {
                if (forms.length == 1) {
                    row = advance(forms[0], target);
                    return row;
                }
                int next = END;
                for (PostingsEnum form : forms) {
                    int at = form.docID() < target ? advance(form, target) : form.docID();
                    next = Math.min(next, at);
                }
                row = next;
                return row;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static int advance(PostingsEnum form, int target) throws IOException {
            return target == form.docID() + 1 ? form.nextDoc() : form.advance(target);
        }

        @Override
        public boolean isMatch() {
            return true;
        }

        @Override
        public int frequency() {
            try {
                if (forms.length == 1) {
                    return forms[0].freq();
                }
                int sum = 0;
                for (PostingsEnum form : forms) {
                    sum += form.docID() == row ? form.freq() : 0;
                }
                return sum;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /**
         * Returns the positions of the word in the current row, rising, in an array that may be
         * longer than {@link #frequency}. To be called once per row.
         *
         * @param into used if it is long enough
         */
        int[] positions(int[] into) throws IOException {
            int count = frequency();
            int[] positions = into.length < count ? new int[2 * count] : into;
            int next = 0;
            for (PostingsEnum form : forms) {
                int ofForm = form.docID() == row ? form.freq() : 0;
                for (int i = 0; i < ofForm; i++) {
                    positions[next++] = form.nextPosition();
                }
            }
            if (forms.length > 1) {
                Arrays.sort(positions, 0, count);
            }
            return positions;
        }
    }
}
