package org.crabro.ranking.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;

/**
 * Runs loops of this package until the JVM has compiled them. Before that, each of their steps
 * allocates objects, and a row takes hundreds of times as long, for about the first 100,000 rows.
 */
public final class KernelWarmUp {
    /**
     * Several times the number of calls after which the JVM compiles a loop with all optimizations.
     */
    private static final int CALLS = 3_000;

    /**
     * The pause after a call, as a multiple of its time. Until a loop is compiled, its calls would
     * take the processor from queries and from the compiler, and would not make it earlier.
     */
    private static final int PAUSE = 3;

    /** A call that takes less is of compiled code; no pause follows. */
    private static final long SLOW_NANOS = 50_000;

    /** The time limit of calls and pauses, in case the compiler is busy with other code. */
    private static final long LONGEST_NANOS = 10_000_000_000L;

    /**
     * Shorter vectors need no warm-up; vectors above the maximum use the same loops as shorter
     * ones.
     */
    private static final int CELLS_MIN = 16;

    private static final int CELLS_MAX = 4_096;

    /** The rows of a long run, whose parts are compared in parallel; other runs have a few rows. */
    private static final int LONG_RUN_ROWS = 32;

    private static final int FEW_ROWS = 8;

    private static final int NUMBERS = 4_096;

    /** After this many kinds, all loops have run. */
    private static final int KINDS_MAX = 256;

    /** The warm-ups that were started in this process; compiled code is shared by all threads. */
    private static final Set<Loops> BEGUN = ConcurrentHashMap.newKeySet();

    /** Loops that are compiled together. */
    public sealed interface Loops {}

    /**
     * The loops of {@link Distances}; takes some seconds, most of them pauses.
     *
     * @param field the type of one vector: dense
     */
    public record Vectors(DistanceMetric metric, TensorType field) implements Loops {}

    /** The loops of {@link NumberSearch}; takes about a second, most of it pauses. */
    public record Numbers() implements Loops {}

    private KernelWarmUp() {}

    /**
     * Runs loops, unless a warm-up of them was already started in this process. An interrupted
     * thread returns early, with its interrupt status set; then the loops can be run again.
     *
     * @param turn called before each call that is probably not compiled yet; waits as long as other
     *     work goes first
     * @return whether no more runs are needed, as far as this thread can see
     */
    public static boolean run(Loops loops, Runnable turn) {
        // Scalar loops need no warm-up.
        if (!Distances.isVectorized() || BEGUN.size() >= KINDS_MAX || !BEGUN.add(loops)) {
            return true;
        }
        try (Arena memory = Arena.ofConfined()) {
            boolean isDone =
                    switch (loops) {
                        case Vectors(var metric, var field) -> vectors(metric, field, memory, turn);
                        case Numbers() -> numbers(memory, turn);
                    };
            if (!isDone) {
                BEGUN.remove(loops);
            }
            return isDone;
        }
    }

    private static boolean vectors(
            DistanceMetric metric, TensorType field, Arena memory, Runnable turn) {
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
        // Quantized rows have one byte per cell, so a run of the same length has more rows.
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
        return repeat(
                turn,
                i -> {
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

    private static boolean numbers(Arena memory, Runnable turn) {
        MemorySegment numbers = memory.allocate((long) NUMBERS * Integer.BYTES);
        numbers.set(ValueLayout.JAVA_INT_UNALIGNED, NUMBERS / 2, 1);
        NumberSearch search = NumberSearch.best();
        var into = new int[NUMBERS];
        return repeat(
                turn,
                _ -> {
                    for (int width = 1; width <= Integer.BYTES; width *= 2) {
                        search.find(numbers, width, 0, NUMBERS, 1, 1, into);
                    }
                });
    }

    /** Returns whether all calls were made or the time limit was reached. */
    private static boolean repeat(Runnable turn, IntConsumer call) {
        long left = LONGEST_NANOS;
        turn.run();
        for (int i = 0; i < CALLS && left > 0; i++) {
            if (Thread.currentThread().isInterrupted()) {
                return false;
            }
            long begin = System.nanoTime();
            call.accept(i);
            long taken = System.nanoTime() - begin;
            left -= taken;
            if (taken > SLOW_NANOS) {
                LockSupport.parkNanos(PAUSE * taken);
                left -= PAUSE * taken;
                turn.run();
            }
        }
        return true;
    }
}
