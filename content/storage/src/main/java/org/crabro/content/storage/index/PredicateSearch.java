package org.crabro.content.storage.index;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.FixedBitSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rows whose predicates are true for the attributes of a query. First it counts the
 * postings of each row, which are often fewer than its predicate needs. It reads the intervals of
 * the rows that are left, and looks for a way through them. For one search.
 */
final class PredicateSearch {
    /** The units of work to count a posting, to read its intervals, and to look at a term. */
    private static final int COUNT_UNITS = 2;

    private static final int READ_UNITS = 10;

    /** The work of so many rows is counted at once. */
    private static final int ROWS_AT_ONCE = 1 << 12;

    /** Bits of an interval in front of its end. */
    private static final int FROM_SHIFT = 32;

    private final Terms terms;
    private final NumericDocValues least;
    private final int rowCount;
    private final IntConsumer work;
    private final List<Cursor> cursors = new ArrayList<>();

    /** By row, the number of postings, at most {@link PredicateIntervals#LEAST_MAX}. */
    private final byte[] counts;

    /** The intervals of a row that are true: the beginning in the upper half, then the end. */
    private long[] intervals = new long[64];

    private int intervalCount;
    private final FixedBitSet reached = new FixedBitSet(PredicateIntervals.PARTS_MAX + 1);
    private final FixedBitSet falseNumbers = new FixedBitSet(PredicateIntervals.PARTS_MAX + 1);
    private int lastFalse;

    /** The payload that is being read, and where. */
    private BytesRef payload = new BytesRef();

    private int at;

    /**
     * @param least the least number of postings of each row
     * @param work receives units of work before the work is done
     */
    PredicateSearch(Terms terms, NumericDocValues least, int rowCount, IntConsumer work) {
        this.terms = terms;
        this.least = least;
        this.rowCount = rowCount;
        this.work = work;
        this.counts = new byte[rowCount];
    }

    /** The postings of a term of the query. */
    private static final class Cursor {
        private final PostingsEnum postings;
        private final int inBlock;
        private final boolean isEdge;

        Cursor(PostingsEnum postings, QueryAttributes.Lookup lookup) {
            this.postings = postings;
            this.inBlock = lookup.inBlock();
            this.isEdge = lookup.isEdge();
        }

        boolean isAt(int row) throws IOException {
            return isAt(postings, row);
        }

        static boolean isAt(PostingsEnum postings, int row) throws IOException {
            return (postings.docID() < row ? postings.advance(row) : postings.docID()) == row;
        }
    }

    /**
     * Adds the rows.
     *
     * @return whether all rows were added whose predicates are true, and no others; otherwise rows
     *     whose predicates are too long were added, too
     */
    boolean add(QueryAttributes attributes, FixedBitSet into) throws IOException {
        var candidates = new FixedBitSet(rowCount);
        TermsEnum dictionary = terms.iterator();
        for (QueryAttributes.Lookup lookup : attributes.lookups()) {
            if (dictionary.seekExact(lookup.term())) {
                count(dictionary.postings(null, PostingsEnum.FREQS), candidates);
                cursors.add(new Cursor(dictionary.postings(null, PostingsEnum.PAYLOADS), lookup));
            }
        }
        PostingsEnum unless = postings(PredicateTerm.UNLESS, PostingsEnum.PAYLOADS);
        PostingsEnum withoutAttributes = postings(PredicateTerm.UNLESS, PostingsEnum.NONE);
        if (withoutAttributes != null) {
            candidates.or(withoutAttributes);
        }
        evaluate(candidates, unless, into);
        PostingsEnum unknown = postings(PredicateTerm.UNKNOWN, PostingsEnum.NONE);
        if (unknown == null) {
            return true;
        }
        into.or(unknown);
        return false;
    }

    private @Nullable PostingsEnum postings(PredicateTerm term, int flags) throws IOException {
        TermsEnum dictionary = terms.iterator();
        return dictionary.seekExact(term.plain()) ? dictionary.postings(null, flags) : null;
    }

    private void count(PostingsEnum postings, FixedBitSet candidates) throws IOException {
        int read = 0;
        int row = postings.nextDoc();
        while (row != WordCursor.END) {
            if (read++ % ROWS_AT_ONCE == 0) {
                work.accept(ROWS_AT_ONCE * COUNT_UNITS);
            }
            int sum = Byte.toUnsignedInt(counts[row]) + postings.freq();
            counts[row] = (byte) Math.min(sum, PredicateIntervals.LEAST_MAX);
            candidates.set(row);
            row = postings.nextDoc();
        }
    }

    private void evaluate(FixedBitSet candidates, @Nullable PostingsEnum unless, FixedBitSet into)
            throws IOException {
        int row = rowCount == 0 ? WordCursor.END : candidates.nextSetBit(0);
        while (row < rowCount) {
            if (least.advanceExact(row)
                    && Byte.toUnsignedInt(counts[row]) >= least.longValue()
                    && isTrue(row, unless)) {
                into.set(row);
            }
            row = row + 1 < rowCount ? candidates.nextSetBit(row + 1) : rowCount;
        }
    }

    private boolean isTrue(int row, @Nullable PostingsEnum unless) throws IOException {
        work.accept(READ_UNITS + cursors.size());
        intervalCount = 0;
        lastFalse = -1;
        for (Cursor cursor : cursors) {
            if (cursor.isAt(row)) {
                read(cursor);
            }
        }
        if (unless != null && Cursor.isAt(unless, row)) {
            readUnless(unless);
        }
        if (lastFalse >= 0) {
            falseNumbers.clear(0, lastFalse + 1);
        }
        return hasWay();
    }

    private void read(Cursor cursor) throws IOException {
        int count = cursor.postings.freq();
        for (int i = 0; i < count; i++) {
            next(cursor.postings);
            int head = whole();
            boolean isNegation = (head & 1) == 1;
            int to = isNegation ? 0 : whole();
            if (cursor.isEdge && !isWithin(cursor.inBlock)) {
                continue;
            }
            if (isNegation) {
                falseNumbers.set(head >>> 1);
                lastFalse = Math.max(lastFalse, head >>> 1);
            } else {
                addInterval(head >>> 1, to);
            }
        }
    }

    private boolean isWithin(int inBlock) {
        return inBlock >= payload.bytes[at] && inBlock <= payload.bytes[at + 1];
    }

    /** Reads intervals that are true unless one of the terms made them false. */
    private void readUnless(PostingsEnum unless) throws IOException {
        int count = unless.freq();
        for (int i = 0; i < count; i++) {
            next(unless);
            int from = whole() >>> 1;
            int to = whole();
            if (!falseNumbers.get(whole())) {
                addInterval(from, to);
            }
        }
    }

    private void next(PostingsEnum postings) throws IOException {
        work.accept(READ_UNITS);
        postings.nextPosition();
        payload = postings.getPayload();
        at = payload.offset;
    }

    private int whole() {
        int number = 0;
        int shift = 0;
        byte next = payload.bytes[at++];
        while (next < 0) {
            number |= (next & 0x7f) << shift;
            shift += 7;
            next = payload.bytes[at++];
        }
        return number | next << shift;
    }

    private void addInterval(int from, int to) {
        intervals = ArrayUtil.grow(intervals, intervalCount + 1);
        intervals[intervalCount++] = (long) from << FROM_SHIFT | to;
    }

    /** Returns whether intervals lead from the beginning to the end. */
    private boolean hasWay() {
        // An interval ends after its beginning, so all that lead to it come before.
        Arrays.sort(intervals, 0, intervalCount);
        reached.set(0);
        int last = 0;
        boolean isThrough = false;
        for (int i = 0; i < intervalCount && !isThrough; i++) {
            int to = (int) intervals[i];
            if (reached.get((int) (intervals[i] >>> FROM_SHIFT))) {
                isThrough = to == PredicateIntervals.END;
                reached.set(to);
                last = Math.max(last, to);
            }
        }
        reached.clear(0, last + 1);
        return isThrough;
    }
}
