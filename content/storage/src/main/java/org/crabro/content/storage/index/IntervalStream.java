package org.crabro.content.storage.index;

import java.util.Arrays;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.BytesTermAttribute;
import org.apache.lucene.analysis.tokenattributes.PayloadAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BytesRef;
import org.crabro.document.predicate.PredicateReader;

/**
 * The postings of the predicate of one row: terms, each with a payload. The memory is reused for
 * every row. For one thread.
 *
 * <p>A posting is written in this order: {@link #begin}, the bytes of the term, {@link #endTerm},
 * the bytes of its payload, {@link #endPosting}.
 */
final class IntervalStream extends TokenStream {
    private final BytesTermAttribute term = addAttribute(BytesTermAttribute.class);
    private final PayloadAttribute payload = addAttribute(PayloadAttribute.class);
    private final PositionIncrementAttribute place = addAttribute(PositionIncrementAttribute.class);
    private final BytesRef termBytes = new BytesRef();
    private final BytesRef payloadBytes = new BytesRef();
    private byte[] bytes = new byte[256];
    private int length;

    /** By posting, the ends of its term and of its payload. */
    private int[] ends = new int[32];

    private int count;
    private int next;

    /** Begins a row without postings. */
    void clear() {
        length = 0;
        count = 0;
    }

    /** Returns the number of postings of the row. */
    int count() {
        return count;
    }

    /** Begins a posting. */
    void begin(PredicateTerm kind) {
        put(kind.kind());
    }

    /** Adds a byte to the term or to the payload. */
    void put(int added) {
        if (length == bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * length);
        }
        bytes[length++] = (byte) added;
    }

    /** Adds bytes to the term. */
    void put(byte[] from, int offset, int added) {
        bytes = ArrayUtil.grow(bytes, length + added);
        System.arraycopy(from, offset, bytes, length, added);
        length += added;
    }

    /** Adds a separator, a sign and a number, the highest bytes first, to the term. */
    void putNumber(boolean isNegative, long number) {
        putSign(isNegative);
        for (int shift = 56; shift >= 0; shift -= 8) {
            put((int) (number >>> shift));
        }
    }

    /** Adds a separator and a sign to the term. */
    void putSign(boolean isNegative) {
        put(PredicateReader.SEPARATOR);
        put(isNegative ? '-' : '+');
    }

    /** Adds a number of 7 bits a byte, the lowest first, to the payload. */
    void putWhole(int number) {
        int remaining = number;
        while (remaining > 0x7f) {
            put(remaining | 0x80);
            remaining >>>= 7;
        }
        put(remaining);
    }

    /** Ends the term. */
    void endTerm() {
        ends = ArrayUtil.grow(ends, 2 * count + 2);
        ends[2 * count] = length;
    }

    /** Ends the posting. One with a term that is too long is dropped: no search looks it up. */
    void endPosting() {
        int begin = start(count);
        if (ends[2 * count] - begin >= SectionIndex.TERM_BYTES_MAX) {
            length = begin;
            return;
        }
        ends[2 * count + 1] = length;
        count++;
    }

    private int start(int posting) {
        return posting == 0 ? 0 : ends[2 * posting - 1];
    }

    @Override
    public boolean incrementToken() {
        if (next == count) {
            return false;
        }
        clearAttributes();
        // All have the same position, which takes no bytes.
        place.setPositionIncrement(next == 0 ? 1 : 0);
        int endOfTerm = ends[2 * next];
        set(termBytes, start(next), endOfTerm);
        term.setBytesRef(termBytes);
        if (ends[2 * next + 1] > endOfTerm) {
            set(payloadBytes, endOfTerm, ends[2 * next + 1]);
            payload.setPayload(payloadBytes);
        }
        next++;
        return true;
    }

    private void set(BytesRef to, int start, int end) {
        to.bytes = bytes;
        to.offset = start;
        to.length = end - start;
    }

    @Override
    public void reset() {
        next = 0;
    }
}
