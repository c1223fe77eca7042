package org.crabro.content.search.match;

import org.crabro.content.search.match.cache.CachedVectors;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.ranking.kernel.Distances;
import org.crabro.ranking.kernel.StoredVectors;

/**
 * The vectors of a block whose rows have any number of vectors each. The distance of a row is the
 * least of its vectors' distances.
 */
final class SeveralVectors {
    /** The units of work of a vector, in addition to its cells. */
    private static final int VECTOR_UNITS = 4;

    private final Column.MixedTensors column;
    private final Distances distances;
    private final StoredVectors stored;
    private final int units;

    SeveralVectors(Column.MixedTensors column, Distances distances) {
        this.column = column;
        this.distances = distances;
        this.units = VECTOR_UNITS + column.type().subspaceSize();
        this.stored = StoredVectors.of(column.cells());
    }

    /** Computes numbers for consecutive vectors, such as the distances of {@link Distances#run}. */
    @FunctionalInterface
    private interface Numbers {
        void write(int first, int count, double[] into);
    }

    /** Writes the distances of some rows of the open slice; NaN for a row without a vector. */
    void distances(BlockScan scan, int[] rows, int count, double[] into) {
        BlockSlice slice = scan.slice();
        int size = slice.to() - slice.from();
        double[] some = scan.borrowNumbers();
        // Comparing all vectors in sequence reads memory faster, and counts its work once.
        if (count > size / 2) {
            double[] all = scan.borrowNumbers();
            leastOfAll(scan, this::run, some, all);
            for (int i = 0; i < count; i++) {
                into[i] = all[rows[i] - slice.from()];
            }
            scan.giveBack(all);
        } else {
            for (int i = 0; i < count; i++) {
                into[i] = distance(scan, rows[i], some);
            }
        }
        scan.giveBack(some);
    }

    /**
     * Writes close lower bounds of the distances of the rows of the open slice; NaN for a row
     * without a vector.
     *
     * @param lent the quantized vectors of all rows of the block
     */
    void least(BlockScan scan, CachedVectors lent, double[] into) {
        double tolerance = distances.lengthsTolerance();
        double[] some = scan.borrowNumbers();
        leastOfAll(
                scan,
                (first, count, least) ->
                        distances.least(
                                lent.vectors(),
                                lent.vectors().inverseLengths(),
                                first,
                                count,
                                least),
                some,
                into);
        for (int i = 0; i < scan.slice().to() - scan.slice().from(); i++) {
            into[i] -= tolerance;
        }
        scan.giveBack(some);
    }

    /** Counts the work of comparing vectors. */
    private void spend(BlockScan scan, int vectors) {
        scan.work().spend(vectors, units);
    }

    private void run(int first, int count, double[] into) {
        distances.run(stored, first, count, into);
    }

    /**
     * Computes, for each row of a slice, the least number of its vectors, which are stored
     * consecutively.
     */
    private void leastOfAll(BlockScan scan, Numbers numbers, double[] some, double[] into) {
        BlockSlice slice = scan.slice();
        int end = column.first(slice.to());
        int chunkStart = column.first(slice.from());
        int chunkEnd = chunkStart;
        int vector = chunkStart;
        for (int row = slice.from(); row < slice.to(); row++) {
            int next = column.first(row + 1);
            double least = Double.NaN;
            while (vector < next) {
                if (vector == chunkEnd) {
                    chunkStart = vector;
                    chunkEnd = Math.min(end, chunkStart + some.length);
                    spend(scan, chunkEnd - chunkStart);
                    numbers.write(chunkStart, chunkEnd - chunkStart, some);
                }
                int last = Math.min(next, chunkEnd);
                least = least(some, vector - chunkStart, last - chunkStart, least);
                vector = last;
            }
            into[row - slice.from()] = least;
        }
    }

    /** Returns the least of some numbers and {@code other}; NaN if all are NaN. */
    private static double least(double[] some, int from, int to, double other) {
        double least = Double.isNaN(other) ? Double.POSITIVE_INFINITY : other;
        for (int i = from; i < to; i++) {
            least = Math.min(least, some[i]);
        }
        if (least < Double.POSITIVE_INFINITY) {
            return least;
        }
        // Rare: a number is NaN, or all are infinite.
        least = other;
        for (int i = from; i < to; i++) {
            if (isLess(some[i], least)) {
                least = some[i];
            }
        }
        return least;
    }

    private double distance(BlockScan scan, int row, double[] some) {
        double least = Double.NaN;
        int end = column.first(row + 1);
        for (int from = column.first(row); from < end; from += some.length) {
            int count = Math.min(some.length, end - from);
            spend(scan, count);
            run(from, count, some);
            least = least(some, 0, count, least);
        }
        return least;
    }

    /**
     * Returns the index in the column of the nearest vector of a row. Of equally near vectors it is
     * the first; -1 if the row has no vector.
     */
    int nearest(BlockScan scan, int row) {
        double[] some = scan.borrowNumbers();
        int end = column.first(row + 1);
        int best = -1;
        double least = Double.NaN;
        for (int from = column.first(row); from < end; from += some.length) {
            int count = Math.min(some.length, end - from);
            spend(scan, count);
            run(from, count, some);
            for (int i = 0; i < count; i++) {
                if (best < 0 || isLess(some[i], least)) {
                    best = from + i;
                    least = some[i];
                }
            }
        }
        scan.giveBack(some);
        return best;
    }

    /** Returns whether a number is less than the least so far, or is the first that is not NaN. */
    private static boolean isLess(double number, double least) {
        return number < least || (Double.isNaN(least) && !Double.isNaN(number));
    }
}
