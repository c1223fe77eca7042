package org.crabro.content.storage.index;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.lucene.index.PointValues;
import org.apache.lucene.index.PointValues.IntersectVisitor;
import org.apache.lucene.index.PointValues.PointTree;
import org.apache.lucene.index.PointValues.Relation;
import org.apache.lucene.util.FixedBitSet;
import org.apache.lucene.util.LongHeap;
import org.apache.lucene.util.NumericUtils;
import org.crabro.document.FieldType.Primitive;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of a field in an index, from the best on: from the highest, or from the lowest. A
 * better number has a higher key. Keys of a field are comparable between indexes. NaN is no number.
 * For one thread.
 */
public final class BestNumbers {
    private final @Nullable PointValues values;
    private final boolean ascending;

    /** The highest value that is a number, as {@link #value} returns it. */
    private final long last;

    /** Parts of the tree that are not visited, the best on top. */
    private final Deque<PointTree> open = new ArrayDeque<>();

    /** Receives rows and the keys of their numbers. */
    public interface Sink {
        void add(int row, long key);
    }

    /**
     * @param values null if no row has the field
     * @param ascending whether low numbers are the best
     */
    BestNumbers(@Nullable PointValues values, Primitive type, boolean ascending)
            throws IOException {
        this.values = values;
        this.ascending = ascending;
        this.last =
                switch (type) {
                    case DOUBLE -> NumericUtils.doubleToSortableLong(Double.POSITIVE_INFINITY);
                    case FLOAT, FLOAT16 -> NumericUtils.floatToSortableInt(Float.POSITIVE_INFINITY);
                    case BOOL, BYTE, INT, LONG, STRING, URI, RAW, PREDICATE -> Long.MAX_VALUE;
                };
        if (values != null) {
            open.push(values.getPointTree());
        }
    }

    /** Returns whether all numbers were visited. */
    public boolean isAtEnd() {
        return open.isEmpty();
    }

    /** Returns a key that no number exceeds that is still to be visited. */
    public long best() {
        PointTree top = open.element();
        return key(ascending ? top.getMinPackedValue() : top.getMaxPackedValue());
    }

    /**
     * Visits some hundred of the best numbers that are still to be visited, in no order.
     *
     * @return how many were visited
     */
    public int visit(Sink into) {
        try {
            PointTree leaf = leaf();
            var rows = new Rows(into);
            leaf.visitDocValues(rows);
            return rows.count;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private PointTree leaf() throws IOException {
        while (true) {
            PointTree top = open.pop();
            if (!top.moveToChild()) {
                return top;
            }
            PointTree low = top.clone();
            if (!top.moveToSibling()) {
                open.push(low);
            } else if (ascending) {
                open.push(top);
                open.push(low);
            } else {
                open.push(low);
                open.push(top);
            }
        }
    }

    /** Returns the rows whose numbers have at least a key. */
    public RowSet from(long least, int rowCount) {
        var best = new FixedBitSet(rowCount);
        if (values == null) {
            return RowSet.ofBits(best);
        }
        try {
            values.intersect(new From(least, best));
            return RowSet.ofBits(best);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a whole number that is larger for a larger number. */
    static long value(byte[] packed) {
        return packed.length == Float.BYTES
                ? NumericUtils.sortableBytesToInt(packed, 0)
                : NumericUtils.sortableBytesToLong(packed, 0);
    }

    private long key(byte[] packed) {
        return ascending ? ~value(packed) : value(packed);
    }

    /** The highest of many keys. For one thread. */
    public static final class HighestKeys {
        private static final int FIRST_SIZE = 512;

        private final LongHeap keys = new LongHeap(FIRST_SIZE);
        private final int most;

        /**
         * @param most the number of keys that are kept
         */
        public HighestKeys(int most) {
            this.most = most;
        }

        /** Adds a key. */
        public void add(long key) {
            if (!isFull()) {
                keys.push(key);
            } else if (key > keys.top()) {
                keys.updateTop(key);
            }
        }

        /** Returns whether as many keys are kept as there may be. */
        public boolean isFull() {
            return keys.size() >= most;
        }

        /** Returns the least key that is kept. There is one. */
        public long least() {
            return keys.top();
        }
    }

    /** Takes all numbers of a leaf. */
    private final class Rows implements IntersectVisitor {
        private final Sink into;
        private int count;

        Rows(Sink into) {
            this.into = into;
        }

        @Override
        public void visit(int row) {
            throw new IllegalStateException("a row without its number: " + row);
        }

        @Override
        public void visit(int row, byte[] packed) {
            count++;
            if (value(packed) <= last) {
                into.add(row, key(packed));
            }
        }

        @Override
        public Relation compare(byte[] low, byte[] high) {
            return Relation.CELL_CROSSES_QUERY;
        }
    }

    /** Sets the bits of rows whose numbers have at least a key. */
    private final class From implements IntersectVisitor {
        private final long least;
        private final FixedBitSet into;

        From(long least, FixedBitSet into) {
            this.least = least;
            this.into = into;
        }

        @Override
        public void visit(int row) {
            into.set(row);
        }

        @Override
        public void visit(int row, byte[] packed) {
            if (key(packed) >= least && value(packed) <= last) {
                into.set(row);
            }
        }

        @Override
        public Relation compare(byte[] low, byte[] high) {
            if (key(ascending ? low : high) < least) {
                return Relation.CELL_OUTSIDE_QUERY;
            }
            return key(ascending ? high : low) >= least && value(high) <= last
                    ? Relation.CELL_INSIDE_QUERY
                    : Relation.CELL_CROSSES_QUERY;
        }
    }
}
