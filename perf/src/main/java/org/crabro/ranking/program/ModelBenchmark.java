package org.crabro.ranking.program;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.ExpressionParser;
import org.crabro.ranking.onnx.ModelBinding;
import org.crabro.ranking.onnx.ModelRuns;
import org.crabro.ranking.onnx.ModelSettings;
import org.crabro.ranking.onnx.RankModel;
import org.crabro.ranking.onnx.RankModelFile;
import org.crabro.ranking.onnx.RankModels;
import org.crabro.ranking.tensor.CellBuffer;
import org.crabro.ranking.tensor.TensorData;
import org.crabro.tensor.TensorType;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Scores 1,000 rows by a network of two layers over 16 numbers, on one thread, in a batch as in a
 * query. Compares with calls of ONNX Runtime for each row. One operation is one pass over all rows.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 2, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class ModelBenchmark {
    /** The number of rows of one pass. */
    public static final int ROWS = 1_000;

    private static final int INPUTS = 16;
    private static final TensorType VECTOR = TensorType.parse("tensor<float>(d0[1],d1[16])");

    private final float[] values = new float[ROWS * INPUTS];
    private final double[] scores = new double[ROWS];
    private final ByteBuffer given =
            ByteBuffer.allocateDirect(INPUTS * Float.BYTES).order(ByteOrder.nativeOrder());
    private final ByteBuffer result =
            ByteBuffer.allocateDirect(Float.BYTES).order(ByteOrder.nativeOrder());
    private final List<AutoCloseable> open = new ArrayList<>();
    private @Nullable OrtSession session;
    private Map<String, OnnxTensor> input = Map.of();
    private Map<String, OnnxTensor> output = Map.of();
    private @Nullable BatchEvaluation ofTensor;
    private @Nullable BatchEvaluation ofNumbers;

    /** Loads the model twice: for expressions, and by hand. */
    @Setup
    public void load() throws IOException, OrtException {
        var random = new Random(2026);
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) random.nextGaussian();
        }
        Path file = Files.createTempFile("mlp", ".onnx");
        try (InputStream bytes =
                Objects.requireNonNull(ModelBenchmark.class.getResourceAsStream("mlp.onnx"))) {
            Files.copy(bytes, file, StandardCopyOption.REPLACE_EXISTING);
        }
        RankModel model = model(file);
        RankModels models = RankModels.forContent(List.of(model), new AtomicInteger());
        ModelRuns runs = models.begin().orElseThrow();
        models.retire();
        open.add(runs);
        ofTensor = evaluation(model, "x", VECTOR, runs);
        ofNumbers =
                evaluation(model, VECTOR + ":[" + numbersOfRow() + "]", TensorType.SCALAR, runs);
        // The one that the models above are loaded in.
        OrtEnvironment environment = OrtEnvironment.getEnvironment();
        OrtSession opened = environment.createSession(file.toString(), options());
        session = opened;
        open.add(opened);
        long[] shape = {1, INPUTS};
        var in = OnnxTensor.createTensor(environment, given.asFloatBuffer(), shape);
        var out =
                OnnxTensor.createTensor(
                        OrtEnvironment.getEnvironment(), result.asFloatBuffer(), new long[] {1, 1});
        input = Map.of("features", in);
        output = Map.of("score", out);
        open.add(in);
        open.add(out);
        Files.delete(file);
        check();
    }

    private static String numbersOfRow() {
        return IntStream.range(0, INPUTS).mapToObj(i -> "x" + i).toList().toString();
    }

    private static RankModel model(Path file) {
        try (RankModelFile opened = RankModelFile.open(file)) {
            ModelBinding binding = opened.binding();
            binding.add(VECTOR);
            return binding.model("mlp", ModelSettings.DEFAULT, List.of(binding.output(0)));
        }
    }

    private static OrtSession.SessionOptions options() throws OrtException {
        var options = new OrtSession.SessionOptions();
        options.setIntraOpNumThreads(1);
        options.setInterOpNumThreads(1);
        return options;
    }

    private static BatchEvaluation evaluation(
            RankModel model, String input, TensorType type, ModelRuns runs) {
        Expression onnx =
                new Expression.Onnx("onnx(mlp)", model, 0, List.of(ExpressionParser.parse(input)));
        return RankProgram.compile(
                        ExpressionParser.parse("t{d0:0,d1:0}").replacing(_ -> onnx),
                        _ -> type,
                        runs)
                .evaluation(ROWS);
    }

    private void check() throws OrtException {
        double byHand = reused();
        if (tensor() != byHand
                || numbers() != byHand
                || created() != byHand
                || atOnce() != byHand) {
            throw new IllegalStateException("they differ");
        }
    }

    /** Lets everything go. */
    @TearDown
    public void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    /** The input is a tensor of the document. */
    @Benchmark
    public double tensor() {
        Objects.requireNonNull(ofTensor)
                .evaluate(
                        new FeatureValues() {
                            @Override
                            public void read(int slot, double[] into, int count) {
                                throw new IllegalStateException("no number is read");
                            }

                            @Override
                            public void cells(int slot, int row, CellBuffer into) {
                                double[] room = into.room(INPUTS);
                                for (int i = 0; i < INPUTS; i++) {
                                    room[i] = values[row * INPUTS + i];
                                }
                            }

                            @Override
                            public TensorData tensor(int slot, int row) {
                                throw new IllegalStateException("cells are read");
                            }
                        },
                        ROWS,
                        scores);
        return sum();
    }

    /** The input is a vector of 16 numbers. */
    @Benchmark
    public double numbers() {
        Objects.requireNonNull(ofNumbers)
                .evaluate(
                        (slot, into, count) -> {
                            for (int row = 0; row < count; row++) {
                                into[row] = values[row * INPUTS + slot];
                            }
                        },
                        ROWS,
                        scores);
        return sum();
    }

    private double sum() {
        double sum = 0;
        for (double score : scores) {
            sum += score;
        }
        return sum;
    }

    /** By hand: a call for each row, with tensors that are made once. */
    @Benchmark
    public double reused() throws OrtException {
        double sum = 0;
        FloatBuffer into = given.asFloatBuffer();
        OrtSession called = Objects.requireNonNull(session);
        for (int row = 0; row < ROWS; row++) {
            into.put(0, values, row * INPUTS, INPUTS);
            called.run(input, output).close();
            sum += result.getFloat(0);
        }
        return sum;
    }

    /** By hand: a call for each row, with a tensor made for it. */
    @Benchmark
    public double created() throws OrtException {
        double sum = 0;
        long[] shape = {1, INPUTS};
        OrtSession called = Objects.requireNonNull(session);
        for (int row = 0; row < ROWS; row++) {
            FloatBuffer part = FloatBuffer.wrap(values, row * INPUTS, INPUTS);
            try (var tensor =
                            OnnxTensor.createTensor(OrtEnvironment.getEnvironment(), part, shape);
                    OrtSession.Result result = called.run(Map.of("features", tensor))) {
                sum += ((float[][]) result.get(0).getValue())[0][0];
            }
        }
        return sum;
    }

    /** By hand: one call for all rows. */
    @Benchmark
    public double atOnce() throws OrtException {
        double sum = 0;
        long[] shape = {ROWS, INPUTS};
        OrtSession called = Objects.requireNonNull(session);
        try (var tensor =
                        OnnxTensor.createTensor(
                                OrtEnvironment.getEnvironment(), FloatBuffer.wrap(values), shape);
                OrtSession.Result result = called.run(Map.of("features", tensor))) {
            for (float[] row : (float[][]) result.get(0).getValue()) {
                sum += row[0];
            }
        }
        return sum;
    }
}
