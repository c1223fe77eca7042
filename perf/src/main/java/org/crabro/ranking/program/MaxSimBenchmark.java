package org.crabro.ranking.program;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
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
 * Evaluates MaxSim of a query of 32 vectors against documents of 128, of 128 cells each, on one
 * thread. Compares with loops of the same number of multiplications and additions. One operation is
 * one pass over all documents.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 2, time = 400, timeUnit = TimeUnit.MILLISECONDS)
public class MaxSimBenchmark {
    /** Documents in a pass. */
    public static final int DOCUMENTS = 100;

    private static final int CELLS = 128;
    private static final int QUERY_VECTORS = 32;
    private static final int VECTORS = 128;

    /** Multiplications of a document. */
    public static final int PRODUCTS = QUERY_VECTORS * VECTORS * CELLS;

    private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
    private static final int LANES = FLOATS.length();

    /** Sums that grow side by side, so that none is waited for. */
    private static final int SUMS = 8;

    /** The type of stored cells. */
    @Param({"FLOAT", "BFLOAT16"})
    public CellType cellType = CellType.FLOAT;

    private final Arena arena = Arena.ofShared();
    private final double[] scores = new double[DOCUMENTS];
    private final float[] left = new float[QUERY_VECTORS * CELLS];
    private final float[] right = new float[QUERY_VECTORS * CELLS];
    private MemorySegment documents = MemorySegment.NULL;
    private BatchEvaluation program = RankProgram.compile(new Expression.Constant(0)).evaluation(1);

    /** Makes documents, and the program that reads them. */
    @Setup
    public void make() {
        var random = new Random(2026);
        documents = arena.allocate((long) DOCUMENTS * VECTORS * CELLS * cellType.size(), 64);
        for (long at = 0; at < documents.byteSize(); at += cellType.size()) {
            int bits = Float.floatToRawIntBits(random.nextFloat() - 0.5f);
            if (cellType == CellType.FLOAT) {
                var floats = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
                documents.set(floats, at, bits);
            } else {
                var halves = ValueLayout.JAVA_SHORT.withOrder(ByteOrder.LITTLE_ENDIAN);
                documents.set(halves, at, (short) (bits >>> Short.SIZE));
            }
        }
        for (int i = 0; i < left.length; i++) {
            left[i] = random.nextFloat() - 0.5f;
            right[i] = random.nextFloat() - 0.5f;
        }
        TensorType query =
                TensorType.parse("tensor<float>(q[%d],x[%d])".formatted(QUERY_VECTORS, CELLS));
        double[] cells = random.doubles(QUERY_VECTORS * CELLS, -0.5, 0.5).toArray();
        Expression expression =
                ExpressionParser.parse("sum(reduce(sum(query * document, x), max, d))")
                        .replacing(feature ->
                                feature.name().equals("query")
                                        ? new TensorExpression.Value(TensorData.dense(query, cells))
                                        : feature);
        TensorType document =
                new TensorType(
                        cellType,
                        TensorType.parse("tensor(d[%d],x[%d])".formatted(VECTORS, CELLS))
                                .dimensions());
        program = RankProgram.compile(expression, _ -> document).evaluation(DOCUMENTS);
    }

    /** Frees the documents. */
    @TearDown
    public void free() {
        arena.close();
    }

    /** The expression, over cells as they are stored. */
    @Benchmark
    public double maxSim() {
        program.evaluate(
                new FeatureValues() {
                    @Override
                    public void read(int slot, double[] into, int count) {
                        throw new IllegalStateException("no feature is a number");
                    }

                    @Override
                    public void cells(int slot, int row, CellBuffer into) {
                        if (!into.isFloat()) {
                            throw new IllegalStateException("MaxSim does not read floats");
                        }
                        int count = VECTORS * CELLS;
                        long first = (long) row * count;
                        StoredCells.copy(cellType, documents, first, into.floatRoom(count), count);
                    }
                },
                DOCUMENTS,
                scores);
        return scores[0];
    }

    /** The same number of products of cells in the L1 cache, added in eight sums. */
    @Benchmark
    public float multiplyAdd() {
        float[] ones = left;
        float[] others = right;
        FloatVector a = FloatVector.zero(FLOATS);
        FloatVector b = a;
        FloatVector c = a;
        FloatVector d = a;
        FloatVector e = a;
        FloatVector f = a;
        FloatVector g = a;
        FloatVector h = a;
        for (int pass = 0; pass < DOCUMENTS * VECTORS; pass++) {
            for (int i = 0; i < ones.length; i += SUMS * LANES) {
                a = product(ones, others, i, a);
                b = product(ones, others, i + LANES, b);
                c = product(ones, others, i + 2 * LANES, c);
                d = product(ones, others, i + 3 * LANES, d);
                e = product(ones, others, i + 4 * LANES, e);
                f = product(ones, others, i + 5 * LANES, f);
                g = product(ones, others, i + 6 * LANES, g);
                h = product(ones, others, i + 7 * LANES, h);
            }
        }
        return a.add(b).add(c.add(d)).add(e.add(f).add(g.add(h))).lane(0);
    }

    private static FloatVector product(float[] ones, float[] others, int at, FloatVector sum) {
        return FloatVector.fromArray(FLOATS, ones, at)
                .fma(FloatVector.fromArray(FLOATS, others, at), sum);
    }

    /** The same number of products of registers: the maximum speed of the processor. */
    @Benchmark
    public float registers() {
        FloatVector x = FloatVector.fromArray(FLOATS, left, 0);
        FloatVector y = FloatVector.fromArray(FLOATS, right, 0);
        FloatVector a = FloatVector.zero(FLOATS);
        FloatVector b = x;
        FloatVector c = y;
        FloatVector d = x.add(1);
        FloatVector e = x.add(2);
        FloatVector f = x.add(3);
        FloatVector g = x.add(4);
        FloatVector h = x.add(5);
        for (int i = 0; i < DOCUMENTS * (PRODUCTS / LANES / SUMS); i++) {
            a = x.fma(y, a);
            b = x.fma(y, b);
            c = x.fma(y, c);
            d = x.fma(y, d);
            e = x.fma(y, e);
            f = x.fma(y, f);
            g = x.fma(y, g);
            h = x.fma(y, h);
        }
        return a.add(b).add(c.add(d)).add(e.add(f).add(g.add(h))).lane(0);
    }
}
