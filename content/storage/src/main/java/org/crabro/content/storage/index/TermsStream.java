package org.crabro.content.storage.index;

import java.util.Arrays;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.BytesTermAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.util.BytesRef;

/**
 * The terms of one field of one row, in their order. The memory is reused for every row. For one
 * thread.
 */
final class TermsStream extends TokenStream {
    private final BytesTermAttribute term = addAttribute(BytesTermAttribute.class);
    private final PositionIncrementAttribute distance =
            addAttribute(PositionIncrementAttribute.class);
    private BytesRef[] terms = new BytesRef[16];
    private int[] distances = new int[16];
    private int count;
    private int next;

    /** Begins a row without terms. */
    void clear() {
        count = 0;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Adds a term after the last one. */
    void add(BytesRef added) {
        add(added, 1);
    }

    /**
     * Adds a term of the row, which is not changed until the next row begins.
     *
     * @param distance from the position of the last one, at least 1
     */
    void add(BytesRef added, int distance) {
        if (count == terms.length) {
            terms = Arrays.copyOf(terms, 2 * count);
            distances = Arrays.copyOf(distances, 2 * count);
        }
        terms[count] = added;
        distances[count++] = distance;
    }

    @Override
    public boolean incrementToken() {
        if (next == count) {
            return false;
        }
        clearAttributes();
        distance.setPositionIncrement(distances[next]);
        term.setBytesRef(terms[next++]);
        return true;
    }

    @Override
    public void reset() {
        next = 0;
    }
}
