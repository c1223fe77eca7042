package org.crabro.ranking.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import org.crabro.ranking.kernel.MachineLoops.Sum;
import org.crabro.tensor.CellType;

/**
 * The vector twin, but for dot products and squared distances of bfloat16 and int8 rows of whole
 * cache lines: for those there are instructions that add the products of several cells at once, and
 * the Vector API has none of them (ADR 25).
 *
 * <p>A squared distance of bfloat16 rows is both squared lengths less twice the dot product. Where
 * a row is nearer than {@link QueryVector#near} rounding would leave too little of that; such rows
 * are compared cell by cell. What bytes come to is exact. A cosine takes the squared length of the
 * row as well, which is its squared distance from zeros; rows that floats {@linkplain FloatCosines
 * have no room} for are compared cell by cell.
 */
final class MachineRowKernels extends VectorRowKernels {
    private static final int PARTS = 4;

    /** Of a run of which this part is near, all rows are compared cell by cell together. */
    private static final int MANY_NEAR = 8;

    /** What the loops of bytes add to the cells of rows, with the other sign. */
    private static final double INT8_OFFSET = -128;

    /** Rows of which cosines are computed together: they are read twice, from the nearest cache. */
    private static final int READ_TWICE = 32;

    /** What rows are compared with for their length: longer ones are compared cell by cell. */
    private static final MemorySegment ZEROS = Arena.global().allocate(1 << 14, 64);

    // Constants, so that a call of them is compiled to no more than that.
    private static final MachineCode.Loops BFLOAT16_PRODUCTS = loops(Sum.BFLOAT16_PRODUCTS);
    private static final MachineCode.Loops BFLOAT16_SQUARES = loops(Sum.BFLOAT16_SQUARES);
    private static final MachineCode.Loops INT8_PRODUCTS = loops(Sum.INT8_PRODUCTS);
    private static final MachineCode.Loops INT8_SQUARES = loops(Sum.INT8_SQUARES);

    private static MachineCode.Loops loops(Sum sum) {
        return MachineCode.HERE.orElseThrow().loops(sum);
    }

    @Override
    public double dot(QueryVector query, MemorySegment cells, long offset) {
        return query.isForMachine && query.cellType == CellType.BFLOAT16
                ? row(BFLOAT16_PRODUCTS, query, cells, offset, 0)
                : super.dot(query, cells, offset);
    }

    @Override
    public double squaredDistance(QueryVector query, MemorySegment cells, long offset) {
        if (query.isForMachine && query.cellType == CellType.BFLOAT16) {
            double distance = row(BFLOAT16_SQUARES, query, cells, offset, query.squaredLength);
            if (distance >= query.near && distance < Double.POSITIVE_INFINITY) {
                return distance;
            }
        }
        return super.squaredDistance(query, cells, offset);
    }

    @Override
    public void dots(QueryVector query, MemorySegment run, int count, double[] into) {
        if (!query.isForMachine) {
            super.dots(query, run, count, into);
            return;
        }
        switch (query.cellType) {
            case BFLOAT16 -> run(BFLOAT16_PRODUCTS, query, run, count, into, 0);
            case INT8 -> run(INT8_PRODUCTS, query, run, count, into, INT8_OFFSET * query.sum);
            case FLOAT, DOUBLE -> super.dots(query, run, count, into);
        }
    }

    @Override
    public void squaredDistances(QueryVector query, MemorySegment run, int count, double[] into) {
        if (!query.isForMachine) {
            super.squaredDistances(query, run, count, into);
            return;
        }
        switch (query.cellType) {
            case BFLOAT16 -> {
                run(BFLOAT16_SQUARES, query, run, count, into, query.squaredLength);
                compareNear(query, run, count, into);
            }
            case INT8 -> {
                double plus =
                        INT8_OFFSET * (INT8_OFFSET * query.size - 2 * query.sum)
                                + query.squaredLength;
                run(INT8_SQUARES, query, run, count, into, plus);
            }
            case FLOAT, DOUBLE -> super.squaredDistances(query, run, count, into);
        }
    }

    @Override
    public double cosine(QueryVector query, MemorySegment cells, long offset) {
        if (hasCosines(query)) {
            double dot = row(BFLOAT16_PRODUCTS, query, cells, offset, 0);
            double squares = row(BFLOAT16_SQUARES, ZEROS, query.rowSize, cells, offset, 0);
            return cosine(query, cells, offset, dot, squares);
        }
        return super.cosine(query, cells, offset);
    }

    @Override
    public void cosines(QueryVector query, MemorySegment run, int count, double[] into) {
        if (!hasCosines(query)) {
            super.cosines(query, run, count, into);
            return;
        }
        if (count < READ_TWICE) {
            // Such as the vectors of one document, for which nothing is to be allocated.
            for (int row = 0; row < count; row++) {
                into[row] = cosine(query, run, row * query.rowSize);
            }
            return;
        }
        double[] dots = new double[READ_TWICE];
        double[] squares = new double[READ_TWICE];
        for (int from = 0; from < count; from += READ_TWICE) {
            int some = Math.min(READ_TWICE, count - from);
            MemorySegment rows = run.asSlice(from * query.rowSize, some * query.rowSize);
            run(BFLOAT16_PRODUCTS, query.stored, query.rowSize, rows, some, dots, 0);
            run(BFLOAT16_SQUARES, ZEROS, query.rowSize, rows, some, squares, 0);
            for (int i = 0; i < some; i++) {
                into[from + i] = cosine(query, rows, i * query.rowSize, dots[i], squares[i]);
            }
        }
    }

    private static boolean hasCosines(QueryVector query) {
        return query.isForMachine
                && query.cellType == CellType.BFLOAT16
                && query.rowSize <= ZEROS.byteSize();
    }

    /** Returns the cosine of a row of which the dot product and the squared length came out. */
    private double cosine(
            QueryVector query, MemorySegment cells, long offset, double dot, double squares) {
        double cosine = FloatCosines.of(dot, query.squaredLength, squares);
        return Double.isNaN(cosine) ? super.cosine(query, cells, offset) : cosine;
    }

    @Override
    public boolean subtracts(QueryVector query) {
        return super.subtracts(query) && !query.isForMachine;
    }

    /** Compares the rows anew of which too little is left, one by one or all together. */
    private void compareNear(QueryVector query, MemorySegment run, int count, double[] into) {
        int left = count / MANY_NEAR;
        int row = nextNear(into, 0, count, query.near);
        while (row < count && left > 0) {
            into[row] = super.squaredDistance(query, run, row * query.rowSize);
            row = nextNear(into, row + 1, count, query.near);
            left--;
        }
        if (row < count) {
            double[] compared = new double[count];
            super.squaredDistances(query, run, count, compared);
            while (row < count) {
                into[row] = compared[row];
                row = nextNear(into, row + 1, count, query.near);
            }
        }
    }

    /** Returns the first from an index on that is near, infinite or NaN; {@code count} for none. */
    private int nextNear(double[] distances, int from, int count, double near) {
        return firstOutside(distances, from, count, near, Double.MAX_VALUE);
    }

    private static void run(
            MachineCode.Loops loops,
            QueryVector query,
            MemorySegment run,
            int count,
            double[] into,
            double plus) {
        run(loops, query.stored, query.rowSize, run, count, into, plus);
    }

    private static void run(
            MachineCode.Loops loops,
            MemorySegment stored,
            long rowSize,
            MemorySegment run,
            int count,
            double[] into,
            double plus) {
        int part = run.isNative() ? count / PARTS : 0;
        if (part > 0) {
            long address = AllMemory.address(rowSize, run, count, into);
            try {
                loops.run()
                        .invokeExact(
                                stored.address(),
                                address,
                                rowSize,
                                (long) part,
                                MemorySegment.ofArray(into),
                                plus);
            } catch (Throwable e) {
                throw MachineCode.failed(e);
            } finally {
                Reference.reachabilityFence(run);
                Reference.reachabilityFence(stored);
            }
        }
        for (int row = PARTS * part; row < count; row++) {
            into[row] = row(loops, stored, rowSize, run, row * rowSize, plus);
        }
    }

    private static double row(
            MachineCode.Loops loops,
            QueryVector query,
            MemorySegment cells,
            long offset,
            double plus) {
        return row(loops, query.stored, query.rowSize, cells, offset, plus);
    }

    private static double row(
            MachineCode.Loops loops,
            MemorySegment stored,
            long rowSize,
            MemorySegment cells,
            long offset,
            double plus) {
        MemorySegment row = cells.asSlice(offset, rowSize);
        try {
            if (!row.isNative()) {
                return (double) loops.heapRow().invokeExact(stored.address(), row, rowSize, plus);
            }
            return (double)
                    loops.row()
                            .invokeExact(stored.address(), AllMemory.address(row), rowSize, plus);
        } catch (Throwable e) {
            throw MachineCode.failed(e);
        } finally {
            Reference.reachabilityFence(row);
            Reference.reachabilityFence(stored);
        }
    }
}
