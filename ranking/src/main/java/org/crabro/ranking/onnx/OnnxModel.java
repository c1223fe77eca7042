package org.crabro.ranking.onnx;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import ai.onnxruntime.TensorInfo;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A loaded ONNX model of an embedder. Safe for use by many threads. The caller of close ensures
 * that no thread runs it any more.
 */
final class OnnxModel implements AutoCloseable {
    private final Path file;
    private final ModelSessions sessions;
    private final int runsAtOnce;

    private OnnxModel(Path file, ModelSessions sessions, int runsAtOnce) {
        this.file = file;
        this.sessions = sessions;
        this.runsAtOnce = runsAtOnce;
    }

    /**
     * The output of a run, or the part of it for a row of the inputs.
     *
     * @param values in row-major order
     * @param rank the number of dimensions
     * @param size of the last dimension
     */
    record Output(FloatBuffer values, int rank, int size) {
        /** Returns the part for a row; values of its padding are last. */
        Output row(int index, int rows) {
            int length = values.limit() / rows;
            return new Output(values.slice(index * length, length), rank, size);
        }
    }

    /** Returns the name of its file. */
    String name() {
        return String.valueOf(file.getFileName());
    }

    /**
     * Loads a model.
     *
     * @throws InvalidModelException if the file is missing or is not a runnable model
     */
    static OnnxModel open(Path file, ModelSettings settings) {
        if (!Files.isRegularFile(file)) {
            throw new InvalidModelException("There is no model file " + file);
        }
        try {
            return new OnnxModel(
                    file,
                    ModelSessions.open(
                            file,
                            settings,
                            ModelSessions.Place.CONTAINER,
                            () -> options(settings.isOptimized())),
                    settings.runsAtOnce(Runtime.getRuntime().availableProcessors()));
        } catch (OrtException e) {
            throw new InvalidModelException(
                    "Model file " + file + " cannot be loaded: " + e.getMessage(), e);
        }
    }

    private static SessionOptions options(boolean isOptimized) throws OrtException {
        var options = new SessionOptions();
        options.setOptimizationLevel(
                isOptimized ? SessionOptions.OptLevel.ALL_OPT : SessionOptions.OptLevel.NO_OPT);
        // Texts differ in length: an arena and patterns would keep memory for the longest.
        options.setCPUArenaAllocator(false);
        options.setMemoryPatternOptimization(false);
        return options;
    }

    /**
     * Checks that the model has inputs of 64-bit integers called {@code names}.
     *
     * @throws InvalidModelException if it has not
     */
    void requireInputs(Set<String> names) {
        Map<String, NodeInfo> inputs = describe(true);
        for (String name : new TreeSet<>(names)) {
            TensorInfo input = tensor(inputs, name, "input");
            if (input.type != OnnxJavaType.INT64) {
                throw new InvalidModelException(
                        "The input '%s' takes values of type %s, but INT64 is expected (%s)"
                                .formatted(name, input.type, file));
            }
        }
        for (String name : new TreeSet<>(inputs.keySet())) {
            if (!names.contains(name)) {
                throw new InvalidModelException(
                        "Model needs an input that nothing is given for: '%s'. Given: %s (%s)"
                                .formatted(name, String.join(",", new TreeSet<>(names)), file));
            }
        }
    }

    /**
     * Returns the sizes of the dimensions of a float output, -1 if they depend on the input.
     *
     * @throws InvalidModelException if there is no such output called {@code name}
     */
    long[] outputShape(String name) {
        TensorInfo tensor = tensor(describe(false), name, "output");
        if (tensor.type != OnnxJavaType.FLOAT
                && tensor.type != OnnxJavaType.FLOAT16
                && tensor.type != OnnxJavaType.BFLOAT16) {
            throw new InvalidModelException(
                    "The output '%s' has values of type %s, but floats are expected (%s)"
                            .formatted(name, tensor.type, file));
        }
        return tensor.getShape();
    }

    /**
     * Returns whether the model takes only one row of {@code input}.
     *
     * @throws InvalidModelException if there is no such input
     */
    boolean isOfOneRow(String input) {
        long[] shape = tensor(describe(true), input, "input").getShape();
        return shape.length == 0 || shape[0] == 1;
    }

    /** Returns how many runs use all processors together. */
    int runsAtOnce() {
        return runsAtOnce;
    }

    /**
     * Runs the model for rows of integers.
     *
     * @param inputs the rows of each input, one after the other
     * @param rows the number of rows
     * @param output the name of the output to compute
     * @throws IllegalStateException if the model fails
     * @throws org.crabro.ranking.onnx.threads.ModelBusyException if the run cannot start before
     *     {@link RunDeadline}
     */
    Output run(Map<String, long[]> inputs, int rows, String output) {
        long size = inputs.values().stream().mapToLong(row -> row.length).max().orElse(0);
        try {
            long deadline = RunDeadline.nanos();
            return sessions.run(
                    size,
                    deadline,
                    session -> {
                        try (var end = new RunEnd(deadline)) {
                            return run(session, end.options(), inputs, rows, output);
                        }
                    });
        } catch (OrtException e) {
            throw new IllegalStateException("model " + file + " failed: " + e.getMessage(), e);
        }
    }

    /**
     * Loads all levels of an adaptive model at once, for measurements.
     *
     * @throws OrtException if one cannot be loaded
     */
    void loadAll() throws OrtException {
        sessions.loadAll();
    }

    /** Returns how many sessions are loaded. */
    int loadedCount() {
        return sessions.loadedCount();
    }

    @Override
    public void close() {
        sessions.close();
    }

    private static Output run(
            OrtSession session,
            OrtSession.RunOptions options,
            Map<String, long[]> inputs,
            int rows,
            String output)
            throws OrtException {
        var tensors = new HashMap<String, OnnxTensor>();
        try {
            for (Map.Entry<String, long[]> input : inputs.entrySet()) {
                long[] values = input.getValue();
                long[] shape = {rows, values.length / rows};
                tensors.put(
                        input.getKey(),
                        OnnxTensor.createTensor(
                                OnnxEnvironment.SHARED, LongBuffer.wrap(values), shape));
            }
            try (OrtSession.Result result = session.run(tensors, Set.of(output), options)) {
                OnnxTensor tensor = (OnnxTensor) result.get(0);
                long[] shape = tensor.getInfo().getShape();
                int size = Math.toIntExact(shape[shape.length - 1]);
                return new Output(tensor.getFloatBuffer(), shape.length, size);
            }
        } finally {
            tensors.values().forEach(OnnxTensor::close);
        }
    }

    private Map<String, NodeInfo> describe(boolean inputs) {
        try {
            OrtSession session = sessions.description();
            return inputs ? session.getInputInfo() : session.getOutputInfo();
        } catch (OrtException e) {
            throw new InvalidModelException("Model " + file + " does not describe itself", e);
        }
    }

    private TensorInfo tensor(Map<String, NodeInfo> nodes, String name, String kind) {
        NodeInfo node = nodes.get(name);
        if (node == null) {
            throw new InvalidModelException(
                    "Model does not contain required %s: '%s'. Model contains: %s (%s)"
                            .formatted(
                                    kind,
                                    name,
                                    String.join(",", new TreeSet<>(nodes.keySet())),
                                    file));
        }
        if (node.getInfo() instanceof TensorInfo tensor) {
            return tensor;
        }
        throw new InvalidModelException(
                "The %s '%s' is no tensor but %s (%s)".formatted(kind, name, node.getInfo(), file));
    }
}
