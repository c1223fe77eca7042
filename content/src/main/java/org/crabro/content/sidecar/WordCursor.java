package org.crabro.content.sidecar;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.search.DocIdSetIterator;

/** A cursor over the rows with a word, in rising order. For one thread. */
public final class WordCursor {
    /** The row after the last. */
    public static final int END = DocIdSetIterator.NO_MORE_DOCS;

    private final PostingsEnum[] forms;
    private int row = -1;

    WordCursor(PostingsEnum[] forms) {
        this.forms = forms;
    }

    /** Returns the current row; -1 in front of the first, {@link #END} after the last. */
    public int row() {
        return row;
    }

    /**
     * Goes to the first row from {@code target} on.
     *
     * @param target after the current row
     * @return the new row
     */
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

    /** Returns how often the word occurs in the current row. */
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
}
