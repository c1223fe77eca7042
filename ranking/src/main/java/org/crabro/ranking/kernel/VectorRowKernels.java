package org.crabro.ranking.kernel;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;
import org.crabro.tensor.CellType;

/**
 * Computes many cells at a time with the Vector API. The loops are static methods, one class per
 * cell type. Only numbers leave a loop, so no vector is ever boxed.
 *
 * <p>If rows consist of whole vectors, a run is one flat loop over all vectors of all rows. Then
 * the compiler moves the checks of bounds and of the memory's lifetime out of the loop, and the
 * processor prefetches further, which determines the speed of reading memory. Measured by the
 * benchmark {@code kernel}: a loop per row inside a loop over rows ran at two thirds of the speed.
 * Two rows at a time, in a loop each, were faster in the cache and up to three times slower in
 * memory. Long runs outside the heap have loops of their own, over several parts at once ({@code
 * SideBySide}).
 */
sealed class VectorRowKernels implements RowKernels permits MachineRowKernels {
    static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;

    /** From this size in bytes on, parts of a run are compared in parallel. */
    static final int SIDE_BY_SIDE = 64 << 10;

    /** With the same number of lanes as a vector of doubles. */
    private static final VectorSpecies<Float> FLOATS =
            VectorSpecies.of(float.class, VectorShape.forBitSize(DOUBLES.vectorBitSize() / 2));

    /**
     * Whether vector comparisons of doubles are fast. With two lanes the compiler allocates
     * objects; a query over 10,000 vectors took 1.5 times as long.
     */
    static final boolean HAS_MASKS = DOUBLES.length() > 2;

    /** Compares rows cell by cell in double if float sums are not exact enough. */
    private static final ScalarRowKernels EXACT = new ScalarRowKernels();

    /** Returns whether the machine adds at least four floats at a time. */
    static boolean isWorthwhile() {
        return FloatVector.SPECIES_PREFERRED.length() >= 4;
    }

    @Override
    public double dot(QueryVector query, MemorySegment cells, long offset) {
        return switch (query.cellType) {
            case DOUBLE -> DoubleRows.dot(query.cells, query.size, cells, offset);
            case FLOAT -> FloatRows.dot(query.forms().floats, query.size, cells, offset);
            case BFLOAT16 -> {
                VectorForms forms = query.forms();
                yield Bfloat16Rows.dot(forms.evens, forms.odds, query.size, cells, offset);
            }
            case INT8 -> Int8Rows.dot(query.forms().ints, query.size, cells, offset);
        };
    }

    @Override
    public double squaredDistance(QueryVector query, MemorySegment cells, long offset) {
        return switch (query.cellType) {
            case DOUBLE -> DoubleRows.squaredDistance(query.cells, query.size, cells, offset);
            case FLOAT ->
                    FloatRows.squaredDistance(query.forms().floats, query.size, cells, offset);
            case BFLOAT16 -> {
                VectorForms forms = query.forms();
                yield Bfloat16Rows.squaredDistance(
                        forms.evens, forms.odds, query.size, cells, offset);
            }
            case INT8 -> Int8Rows.squaredDistance(query.forms().ints, query.size, cells, offset);
        };
    }

    @Override
    public double cosine(QueryVector query, MemorySegment cells, long offset) {
        double cosine =
                switch (query.cellType) {
                    case DOUBLE ->
                            DoubleRows.cosine(
                                    query.cells, query.squaredLength, query.size, cells, offset);
                    case FLOAT ->
                            FloatRows.cosine(
                                    query.forms().floats,
                                    query.squaredLength,
                                    query.size,
                                    cells,
                                    offset);
                    case BFLOAT16 -> {
                        VectorForms forms = query.forms();
                        yield Bfloat16Rows.cosine(
                                forms.evens,
                                forms.odds,
                                query.squaredLength,
                                query.size,
                                cells,
                                offset);
                    }
                    case INT8 ->
                            Int8Rows.cosine(
                                    query.forms().ints,
                                    query.squaredLength,
                                    query.size,
                                    cells,
                                    offset);
                };
        return Double.isNaN(cosine) ? EXACT.cosine(query, cells, offset) : cosine;
    }

    @Override
    public long differing(QueryVector query, MemorySegment cells, long offset) {
        return switch (query.cellType) {
            case DOUBLE -> DoubleRows.differing(query.cells, query.size, cells, offset);
            case FLOAT -> FloatRows.differing(query.forms().floats, query.size, cells, offset);
            case BFLOAT16 -> {
                VectorForms forms = query.forms();
                yield Bfloat16Rows.differing(forms.evens, forms.odds, query.size, cells, offset);
            }
            case INT8 -> Int8Rows.differing(query.forms().bytes, query.size, cells, offset);
        };
    }

    @Override
    public void dots(QueryVector query, MemorySegment run, int count, double[] into) {
        if (!isWhole(query)) {
            RowKernels.super.dots(query, run, count, into);
            return;
        }
        VectorForms forms = query.forms();
        switch (query.cellType) {
            case DOUBLE -> RowKernels.super.dots(query, run, count, into);
            case FLOAT -> {
                if (isLong(run)) {
                    FloatRuns.dots(query, run, count, into);
                } else {
                    FloatRows.dots(forms.floats, query.size, run, into);
                }
            }
            case BFLOAT16 -> {
                if (isLong(run)) {
                    Bfloat16Runs.dots(query, run, count, into);
                } else {
                    Bfloat16Rows.dots(forms.evens, forms.odds, query.size, run, into);
                }
            }
            case INT8 -> {
                if (isLong(run) && Int8Runs.isWhole(query.size)) {
                    Int8Runs.dots(query, run, count, into);
                } else {
                    Int8Rows.dots(forms.ints, query.size, run, into);
                }
            }
        }
    }

    @Override
    public void squaredDistances(QueryVector query, MemorySegment run, int count, double[] into) {
        if (!isWhole(query)) {
            RowKernels.super.squaredDistances(query, run, count, into);
            return;
        }
        VectorForms forms = query.forms();
        switch (query.cellType) {
            case DOUBLE -> RowKernels.super.squaredDistances(query, run, count, into);
            case FLOAT -> {
                if (isLong(run)) {
                    FloatRuns.squaredDistances(query, run, count, into);
                } else {
                    FloatRows.squaredDistances(forms.floats, query.size, run, into);
                }
            }
            case BFLOAT16 -> {
                if (isLong(run)) {
                    Bfloat16Runs.squaredDistances(query, run, count, into);
                } else {
                    Bfloat16Rows.squaredDistances(forms.evens, forms.odds, query.size, run, into);
                }
            }
            case INT8 -> {
                if (isLong(run) && Int8Runs.isWhole(query.size)) {
                    Int8Runs.squaredDistances(query, run, count, into);
                } else {
                    Int8Rows.squaredDistances(forms.ints, query.size, run, into);
                }
            }
        }
    }

    @Override
    public void cosines(QueryVector query, MemorySegment run, int count, double[] into) {
        if (!isWhole(query)) {
            RowKernels.super.cosines(query, run, count, into);
            return;
        }
        VectorForms forms = query.forms();
        switch (query.cellType) {
            case DOUBLE -> RowKernels.super.cosines(query, run, count, into);
            case FLOAT ->
                    FloatRows.cosines(forms.floats, query.squaredLength, query.size, run, into);
            case BFLOAT16 ->
                    Bfloat16Rows.cosines(
                            forms.evens, forms.odds, query.squaredLength, query.size, run, into);
            case INT8 -> Int8Rows.cosines(forms.ints, query.squaredLength, query.size, run, into);
        }
        int row = nextWithoutNumber(into, 0, count);
        while (row < count) {
            into[row] = EXACT.cosine(query, run, row * query.rowSize);
            row = nextWithoutNumber(into, row + 1, count);
        }
    }

    private int nextWithoutNumber(double[] numbers, int from, int to) {
        return firstOutside(numbers, from, to, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
    }

    @Override
    public void differing(QueryVector query, MemorySegment run, int count, double[] into) {
        if (query.cellType == CellType.INT8 && isLong(run) && Int8Runs.isWholeBytes(query.size)) {
            Int8Runs.differing(query, run, count, into);
        } else {
            RowKernels.super.differing(query, run, count, into);
        }
    }

    @Override
    public void angular(double[] dots, int count, MemorySegment inverseLengths, double factor) {
        DoubleVector one = DoubleVector.broadcast(DOUBLES, 1);
        int whole = DOUBLES.loopBound(count);
        for (int i = 0; i < whole; i += DOUBLES.length()) {
            DoubleVector lengths = doubles(inverseLengths, i);
            DoubleVector cosines =
                    DoubleVector.fromArray(DOUBLES, dots, i).mul(lengths.mul(factor));
            one.sub(cosines).intoArray(dots, i);
        }
        for (int i = whole; i < count; i++) {
            float length = inverseLengths.get(ScalarRowKernels.FLOAT, (long) i * Float.BYTES);
            dots[i] = 1 - dots[i] * (factor * length);
        }
    }

    @Override
    public void leastSquaredDistances(
            QueryVector query, MemorySegment inverseLengths, int from, int to, double[] dots) {
        FloatVector one = FloatVector.broadcast(FLOATS, 1);
        double part = RowKernels.partForSure(query);
        int i = from;
        for (; i <= to - DOUBLES.length(); i += DOUBLES.length()) {
            long at = (long) i * Float.BYTES;
            var inverse = FloatVector.fromMemorySegment(FLOATS, inverseLengths, at, LITTLE_ENDIAN);
            FloatVector lengths = one.div(inverse.max(Float.MIN_NORMAL)).blend(0, inverse.eq(0));
            var length = (DoubleVector) lengths.convertShape(VectorOperators.F2D, DOUBLES, 0);
            DoubleVector squares = length.mul(length).add(query.squaredLength);
            DoubleVector.fromArray(DOUBLES, dots, i)
                    .mul(-2)
                    .add(squares.mul(part))
                    .sub(query.lost)
                    .intoArray(dots, i);
        }
        RowKernels.super.leastSquaredDistances(query, inverseLengths, i, to, dots);
    }

    @Override
    public void mostDots(
            QuantizedQuery query,
            QuantizedVectors vectors,
            int first,
            int from,
            int to,
            double[] dots) {
        MemorySegment scales = vectors.scales();
        MemorySegment errors = vectors.errors();
        MemorySegment spreads = vectors.spreads();
        MemorySegment sums = vectors.sums();
        int i = from;
        for (; i <= to - DOUBLES.length(); i += DOUBLES.length()) {
            DoubleVector sum = doubles(sums, first + i);
            DoubleVector inMean = sum.mul(query.mean).add(sum.abs().mul(query.perSum));
            DoubleVector error = doubles(errors, first + i).mul(query.perError);
            DoubleVector margins = doubles(spreads, first + i).mul(query.perSpread);
            DoubleVector.fromArray(DOUBLES, dots, i)
                    .mul(doubles(scales, first + i).mul(query.scale))
                    .add(inMean)
                    .add(error)
                    .add(margins)
                    .add(query.lost)
                    .intoArray(dots, i);
        }
        RowKernels.super.mostDots(query, vectors, first, i, to, dots);
    }

    /** Loads a vector of floats of a run, starting at {@code index}. */
    private static DoubleVector doubles(MemorySegment floats, int index) {
        long at = (long) index * Float.BYTES;
        var loaded = FloatVector.fromMemorySegment(FLOATS, floats, at, LITTLE_ENDIAN);
        return (DoubleVector) loaded.convertShape(VectorOperators.F2D, DOUBLES, 0);
    }

    @Override
    public int firstWithin(double[] numbers, int from, int to, double bound) {
        int i = from;
        for (; HAS_MASKS && i <= to - DOUBLES.length(); i += DOUBLES.length()) {
            VectorMask<Double> within =
                    DoubleVector.fromArray(DOUBLES, numbers, i).compare(VectorOperators.LE, bound);
            if (within.anyTrue()) {
                return i + within.firstTrue();
            }
        }
        return RowKernels.super.firstWithin(numbers, i, to, bound);
    }

    @Override
    public int firstOutside(double[] numbers, int from, int to, double least, double most) {
        int i = from;
        for (; HAS_MASKS && i <= to - DOUBLES.length(); i += DOUBLES.length()) {
            var some = DoubleVector.fromArray(DOUBLES, numbers, i);
            VectorMask<Double> outside =
                    some.compare(VectorOperators.GE, least)
                            .and(some.compare(VectorOperators.LE, most))
                            .not();
            if (outside.anyTrue()) {
                return i + outside.firstTrue();
            }
        }
        return RowKernels.super.firstOutside(numbers, i, to, least, most);
    }

    /** Returns whether a run is long enough to compare parts of it in parallel. */
    private static boolean isLong(MemorySegment run) {
        return run.isNative() && run.byteSize() >= SIDE_BY_SIDE;
    }

    /**
     * Returns whether rows consist of whole vectors, so that a run is one flat sequence of them.
     */
    private static boolean isWhole(QueryVector query) {
        return switch (query.cellType) {
            case DOUBLE -> false;
            case FLOAT -> FloatRows.isWhole(query.size);
            case BFLOAT16 -> Bfloat16Rows.isWhole(query.size);
            case INT8 -> Int8Rows.isWhole(query.size);
        };
    }
}
