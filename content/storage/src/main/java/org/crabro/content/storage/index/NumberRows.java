package org.crabro.content.storage.index;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.OptionalInt;
import org.apache.lucene.index.PointValues;
import org.apache.lucene.index.PointValues.IntersectVisitor;
import org.apache.lucene.index.PointValues.PointTree;
import org.apache.lucene.index.PointValues.Relation;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.FixedBitSet;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a section with a number in a range. They are only looked for when they are asked for.
 * For one thread.
 */
public final class NumberRows {
    /** No rows. */
    public static final NumberRows NONE = new NumberRows(null, 0, 0);

    private final @Nullable PointValues values;
    private final long low;
    private final long high;

    /**
     * @param values of the field; null if no row has one
     * @param low as {@link BestNumbers#value} returns it
     * @param high as {@link BestNumbers#value} returns it
     */
    NumberRows(@Nullable PointValues values, long low, long high) {
        this.values = values;
        this.low = low;
        this.high = high;
    }

    /** Adds the rows. */
    void addTo(FixedBitSet into) {
        if (values == null || low > high) {
            return;
        }
        try {
            values.intersect(new NumbersInRange(low, high, into));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the number of rows, dead ones too; empty if a row may have several numbers. */
    OptionalInt count() {
        if (values == null || low > high) {
            return OptionalInt.of(0);
        }
        if (values.size() != values.getDocCount()) {
            return OptionalInt.empty();
        }
        try {
            var inLeaves = new Counter();
            long inside = count(values.getPointTree(), inLeaves);
            return OptionalInt.of((int) (inside + inLeaves.count));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the numbers in nodes inside the range. Visits those of leaves that cross its ends.
     */
    private static long count(PointTree tree, Counter inLeaves) throws IOException {
        return switch (inLeaves.compare(tree.getMinPackedValue(), tree.getMaxPackedValue())) {
            case CELL_OUTSIDE_QUERY -> 0;
            case CELL_INSIDE_QUERY -> tree.size();
            case CELL_CROSSES_QUERY -> {
                if (!tree.moveToChild()) {
                    tree.visitDocValues(inLeaves);
                    yield 0;
                }
                long count = 0;
                do {
                    count += count(tree, inLeaves);
                } while (tree.moveToSibling());
                tree.moveToParent();
                yield count;
            }
        };
    }

    /** Counts the numbers in the range, one by one. */
    private final class Counter implements IntersectVisitor {
        private long count;

        @Override
        public void visit(int row) {
            count++;
        }

        @Override
        public void visit(int row, byte[] packed) {
            count += isInside(packed) ? 1 : 0;
        }

        @Override
        public void visit(DocIdSetIterator rows, byte[] packed) throws IOException {
            if (isInside(packed)) {
                for (int row = rows.nextDoc();
                        row != DocIdSetIterator.NO_MORE_DOCS;
                        row = rows.nextDoc()) {
                    count++;
                }
            }
        }

        private boolean isInside(byte[] packed) {
            long value = BestNumbers.value(packed);
            return low <= value && value <= high;
        }

        @Override
        public Relation compare(byte[] least, byte[] greatest) {
            return NumbersInRange.compare(least, greatest, low, high);
        }
    }
}
