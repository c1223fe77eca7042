package org.crabro.content.storage.index;

import java.io.IOException;
import org.apache.lucene.index.PointValues.IntersectVisitor;
import org.apache.lucene.index.PointValues.Relation;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.FixedBitSet;
import org.apache.lucene.util.IntsRef;

/** Sets the bits of rows whose numbers are in a range. For one thread. */
final class NumbersInRange implements IntersectVisitor {
    private final long low;
    private final long high;
    private final FixedBitSet into;

    /**
     * @param low as {@link BestNumbers#value} returns it
     * @param high as {@link BestNumbers#value} returns it
     */
    NumbersInRange(long low, long high, FixedBitSet into) {
        this.low = low;
        this.high = high;
        this.into = into;
    }

    @Override
    public void visit(int row) {
        into.set(row);
    }

    @Override
    public void visit(DocIdSetIterator rows) throws IOException {
        into.or(rows);
    }

    @Override
    public void visit(IntsRef rows) {
        for (int i = rows.offset; i < rows.offset + rows.length; i++) {
            into.set(rows.ints[i]);
        }
    }

    @Override
    public void visit(int row, byte[] packed) {
        if (isInside(packed)) {
            into.set(row);
        }
    }

    @Override
    public void visit(DocIdSetIterator rows, byte[] packed) throws IOException {
        if (isInside(packed)) {
            into.or(rows);
        }
    }

    private boolean isInside(byte[] packed) {
        long value = BestNumbers.value(packed);
        return low <= value && value <= high;
    }

    @Override
    public Relation compare(byte[] least, byte[] greatest) {
        return compare(least, greatest, low, high);
    }

    /** Returns how the numbers from {@code least} to {@code greatest} relate to a range. */
    static Relation compare(byte[] least, byte[] greatest, long low, long high) {
        long from = BestNumbers.value(least);
        long to = BestNumbers.value(greatest);
        if (to < low || high < from) {
            return Relation.CELL_OUTSIDE_QUERY;
        }
        return low <= from && to <= high ? Relation.CELL_INSIDE_QUERY : Relation.CELL_CROSSES_QUERY;
    }
}
