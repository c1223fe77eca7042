package org.crabro.ranking.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import org.crabro.ranking.kernel.MachineLoops.Sum;
import org.crabro.tensor.CellType;

/**
 * The vector implementation, with machine code for dot products and squared distances of bfloat16
 * and int8 rows of whole cache lines. Processors have instructions that add the products of several
 * cells at once; the Vector API has none of them (ADR 25).
 *
 * <p>The squared distance of bfloat16 rows is the sum of both squared lengths minus twice the dot
 * product. For a row nearer than {@link QueryVector#near}, rounding would leave too few bits; such
 * rows are compared cell by cell. Results for int8 cells are exact. A cosine also needs the squared
 * length of the row, which is its squared distance from zeros. Rows that floats {@linkplain
 * FloatCosines#haveRoom cannot represent} exactly enough are compared cell by cell.
 */
final class MachineRowKernels extends VectorRowKernels {
    private static final int PARTS = 4;

    /** If more than 1 / this of a run is near, all rows are compared cell by cell together. */
    private static final int MANY_NEAR = 8;

    /** The loops for bytes add the negative of this to each cell of a row. */
    private static final double INT8_OFFSET = -128;

    /** The number of rows per batch of cosines, which are read twice, the second time from L1. */
    private static final int READ_TWICE = 32;

    /**
     * Rows are compared with these zeros to compute their lengths; longer rows use the Vector API.
     */
    private static final MemorySegment ZEROS = Arena.global().allocate(1 << 14, 64);

    // Constants, so that the JVM compiles direct calls.
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
            // For example the vectors of one document; this path allocates nothing.
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

    /** Returns the cosine of a row, given its dot product and squared length. */
    private double cosine(
            QueryVector query, MemorySegment cells, long offset, double dot, double squares) {
        double cosine = FloatCosines.of(dot, query.squaredLength, squares);
        return Double.isNaN(cosine) ? super.cosine(query, cells, offset) : cosine;
    }

    @Override
    public boolean subtracts(QueryVector query) {
        return super.subtracts(query) && !query.isForMachine;
    }

    /** Recomputes the rows with too few correct bits, one by one or all together. */
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

    /**
     * Returns the first index from {@code from} on whose distance is near, infinite or NaN; {@code
     * count} if there is none.
     */
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
