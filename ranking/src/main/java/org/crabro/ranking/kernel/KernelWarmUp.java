package org.crabro.ranking.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntConsumer;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;

/**
 * Runs loops of this package until the JVM has compiled them. Before, each of their steps makes
 * objects, and a row takes hundreds of times as long, for the first 100,000 rows or so.
 */
public final class KernelWarmUp {
    /** Several times as often as the JVM sees a loop before it compiles it for good. */
    private static final int CALLS = 3_000;

    /** Where the compiler has other things to do. */
    private static final long LONGEST_NANOS = 10_000_000_000L;

    /** Fewer cells are not worth it, and of more all loops have been seen with fewer. */
    private static final int CELLS_MIN = 16;

    private static final int CELLS_MAX = 4_096;

    /** Of a run that is compared in many places at a time; others have a few rows. */
    private static final int LONG_RUN_ROWS = 32;

    private static final int FEW_ROWS = 8;

    private static final int NUMBERS = 4_096;

    /** By then all loops have been seen. */
    private static final int KINDS_MAX = 256;

    /** What has been begun in this process: its compiler keeps it for all. */
    private static final Set<Loops> BEGUN = ConcurrentHashMap.newKeySet();

    /** What is compiled together. */
    public sealed interface Loops {}

    /**
     * What {@link Distances} runs; takes about a second.
     *
     * @param field of one vector: dense
     */
    public record Vectors(DistanceMetric metric, TensorType field) implements Loops {}

    /** What {@link NumberSearch} runs; takes about half a second. */
    public record Numbers() implements Loops {}

    private KernelWarmUp() {}

    /**
     * Runs loops, unless that was begun before in this process. A thread that is interrupted comes
     * back early, still interrupted; then they can be run again.
     *
     * @return whether there is nothing more to run, as far as this thread knows
     */
    public static boolean run(Loops loops) {
        // Plain loops are quick from the start.
        if (!Distances.isVectorized() || BEGUN.size() >= KINDS_MAX || !BEGUN.add(loops)) {
            return true;
        }
        try (Arena memory = Arena.ofConfined()) {
            boolean isDone =
                    switch (loops) {
                        case Vectors(var metric, var field) -> vectors(metric, field, memory);
                        case Numbers() -> numbers(memory);
                    };
            if (!isDone) {
                BEGUN.remove(loops);
            }
            return isDone;
        }
    }

    private static boolean vectors(DistanceMetric metric, TensorType field, Arena memory) {
        int size = field.cellCount();
        if (metric == DistanceMetric.GEODEGREES || size < CELLS_MIN || size > CELLS_MAX) {
            return true;
        }
        int rowSize = size * field.cellType().size();
        int rows = Math.max(LONG_RUN_ROWS, Math.ceilDiv(VectorRowKernels.SIDE_BY_SIDE, rowSize));
        var vectors =
                new StoredVectors(
                        memory.allocate((long) rows * rowSize),
                        Optional.of(memory.allocate((long) rows * Float.BYTES)));
        double[] ones = DoubleStream.generate(() -> 1).limit(size).toArray();
        Distances distances = Distances.of(metric, field, DenseTensor.of(field, ones));
        int[] few = IntStream.range(0, FEW_ROWS).toArray();
        var into = new double[rows];
        // Rows of a byte a cell are shorter: as many more of them are as long a run.
        int quantizedRows = rows * field.cellType().size();
        boolean isQuantized = distances.isQuantizable() && QuantizedVectors.areWorthIt(field);
        var least = new double[quantizedRows];
        MemorySegment floats = memory.allocate((long) quantizedRows * Float.BYTES);
        var quantized =
                new QuantizedVectors(
                        memory.allocate((long) quantizedRows * QuantizedVectors.rowSize(size)),
                        floats,
                        floats,
                        floats,
                        floats,
                        floats);
        return repeat(i -> {
            distances.run(vectors, 0, rows, into);
            if (isQuantized) {
                distances.least(quantized, floats, 0, quantizedRows, least);
            }
            into[i % rows] = -1;
            distances.firstWithin(into, 0, rows, -1);
            distances.runWithin(vectors, 0, rows, -2, into);
            distances.run(vectors, 0, FEW_ROWS, into);
            distances.select(vectors, few, FEW_ROWS, into);
        });
    }

    private static boolean numbers(Arena memory) {
        MemorySegment numbers = memory.allocate((long) NUMBERS * Integer.BYTES);
        numbers.set(ValueLayout.JAVA_INT_UNALIGNED, NUMBERS / 2, 1);
        NumberSearch search = NumberSearch.best();
        var into = new int[NUMBERS];
        return repeat(_ -> {
            for (int width = 1; width <= Integer.BYTES; width *= 2) {
                search.find(numbers, width, 0, NUMBERS, 1, 1, into);
            }
        });
    }

    /** Returns whether all calls were made, or as many as there was time for. */
    private static boolean repeat(IntConsumer call) {
        long end = System.nanoTime() + LONGEST_NANOS;
        for (int i = 0; i < CALLS && System.nanoTime() - end < 0; i++) {
            if (Thread.currentThread().isInterrupted()) {
                return false;
            }
            call.accept(i);
        }
        return true;
    }
}
