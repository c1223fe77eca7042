package org.crabro.ranking.program;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.ExpressionParser;
import org.crabro.ranking.expression.TensorExpression;
import org.crabro.ranking.kernel.StoredCells;
import org.crabro.ranking.tensor.CellBuffer;
import org.crabro.ranking.tensor.TensorData;
import org.crabro.tensor.CellType;
import org.crabro.tensor.TensorType;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Evaluates dot products of 384 cells, and MaxSim of vectors of 128 bits, of documents of floats
 * and of bytes: with a query of floats, so that floats are multiplied, and with one of doubles. One
 * operation is one pass over all documents, on one thread.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 2, time = 400, timeUnit = TimeUnit.MILLISECONDS)
public class ProductsBenchmark {
    /** Documents in a pass. */
    public static final int DOCUMENTS = 100;

    private static final int CELLS = 384;
    private static final int BYTES = 16;
    private static final int VECTORS = 32;

    private static final ValueLayout.OfFloat LITTLE_FLOAT =
            ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** The type of the query's cells. */
    @Param({"FLOAT", "DOUBLE"})
    public CellType query = CellType.FLOAT;

    private final Arena arena = Arena.ofShared();
    private final double[] scores = new double[DOCUMENTS];
    private MemorySegment floats = MemorySegment.NULL;
    private MemorySegment bytes = MemorySegment.NULL;
    private BatchEvaluation dot = RankProgram.compile(new Expression.Constant(0)).evaluation(1);
    private BatchEvaluation bits = dot;

    /** Makes documents, and the programs that read them. */
    @Setup
    public void make() {
        var random = new Random(2026);
        floats = arena.allocate((long) DOCUMENTS * CELLS * Float.BYTES, 64);
        for (long at = 0; at < floats.byteSize(); at += Float.BYTES) {
            floats.set(LITTLE_FLOAT, at, random.nextFloat() - 0.5f);
        }
        bytes = arena.allocate((long) DOCUMENTS * VECTORS * BYTES, 64);
        for (long at = 0; at < bytes.byteSize(); at++) {
            bytes.set(ValueLayout.JAVA_BYTE, at, (byte) random.nextInt());
        }
        dot = program("sum(query * document)", "x[384]", "tensor<float>(x[384])", random);
        bits =
                program(
                        "sum(reduce(sum(query * unpack_bits(document), x), max, d))",
                        "q[32],x[128]",
                        "tensor<int8>(d[32],x[16])",
                        random);
    }

    private BatchEvaluation program(
            String text, String dimensions, String document, Random random) {
        var type =
                new TensorType(query, TensorType.parse("tensor(" + dimensions + ")").dimensions());
        double[] cells =
                random.doubles(type.cellCount(), -0.5, 0.5).map(each -> (float) each).toArray();
        Expression expression =
                ExpressionParser.parse(text)
                        .replacing(feature ->
                                feature.name().equals("query")
                                        ? new TensorExpression.Value(TensorData.dense(type, cells))
                                        : feature);
        return RankProgram.compile(expression, _ -> TensorType.parse(document))
                .evaluation(DOCUMENTS);
    }

    /** Frees the documents. */
    @TearDown
    public void free() {
        arena.close();
    }

    /** Dot products of 384 floats. */
    @Benchmark
    public double dotProduct() {
        return evaluate(dot, TensorType.parse("tensor<float>(x[384])"), floats);
    }

    /** MaxSim of 32 vectors with 32 of 128 bits. */
    @Benchmark
    public double maxSimOfBits() {
        return evaluate(bits, TensorType.parse("tensor<int8>(d[32],x[16])"), bytes);
    }

    private double evaluate(BatchEvaluation program, TensorType type, MemorySegment stored) {
        program.evaluate(new Stored(type, stored), DOCUMENTS, scores);
        return scores[0];
    }

    private record Stored(TensorType type, MemorySegment bytes) implements FeatureValues {
        @Override
        public void read(int slot, double[] into, int count) {
            throw new IllegalStateException("no feature is a number");
        }

        @Override
        public TensorData tensor(int slot, int row) {
            var cells = new CellBuffer();
            cells(slot, row, cells);
            return TensorData.dense(type, cells.cells());
        }

        @Override
        public void cells(int slot, int row, CellBuffer into) {
            int count = type.cellCount();
            long first = (long) row * count;
            if (into.isFloat()) {
                StoredCells.copy(type.cellType(), bytes, first, into.floatRoom(count), count);
                return;
            }
            double[] room = into.room(count);
            for (int i = 0; i < count; i++) {
                room[i] =
                        type.cellType() == CellType.INT8
                                ? bytes.get(ValueLayout.JAVA_BYTE, first + i)
                                : bytes.get(LITTLE_FLOAT, (first + i) * Float.BYTES);
            }
        }
    }
}
