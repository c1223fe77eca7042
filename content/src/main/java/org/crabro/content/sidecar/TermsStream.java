package org.crabro.content.sidecar;

import java.util.Arrays;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.BytesTermAttribute;
import org.apache.lucene.analysis.tokenattributes.TermFrequencyAttribute;
import org.apache.lucene.util.BytesRef;

/**
 * The terms of one field of one row, with their frequencies. The memory is reused for every row.
 * For one thread.
 */
final class TermsStream extends TokenStream {
    private final BytesTermAttribute term = addAttribute(BytesTermAttribute.class);
    private final TermFrequencyAttribute frequency = addAttribute(TermFrequencyAttribute.class);
    private BytesRef[] terms = new BytesRef[16];
    private int[] frequencies = new int[16];
    private int count;
    private int next;

    /** Begins a row without terms. */
    void clear() {
        count = 0;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /**
     * Adds a term of the row, which is not changed until the next row begins.
     *
     * @return its index
     */
    int add(BytesRef added) {
        if (count == terms.length) {
            terms = Arrays.copyOf(terms, 2 * count);
            frequencies = Arrays.copyOf(frequencies, 2 * count);
        }
        terms[count] = added;
        frequencies[count] = 1;
        return count++;
    }

    /** Adds an occurrence of the term with {@code index}. */
    void addAgain(int index) {
        frequencies[index]++;
    }

    @Override
    public boolean incrementToken() {
        if (next == count) {
            return false;
        }
        clearAttributes();
        frequency.setTermFrequency(frequencies[next]);
        term.setBytesRef(terms[next++]);
        return true;
    }

    @Override
    public void reset() {
        next = 0;
    }
}
