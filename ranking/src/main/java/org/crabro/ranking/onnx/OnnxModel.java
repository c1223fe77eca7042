package org.crabro.ranking.onnx;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A loaded ONNX model. Safe for use by many threads. The caller of close ensures that no thread
 * runs it any more.
 *
 * <p>A run uses a fixed number of threads, or a number that follows the load. In the second case
 * there are two sessions. A run that finds the model idle takes the wide session, which uses all
 * processors. Concurrent runs take the narrow session and compute on their own thread. The wide
 * session is loaded when it is first needed, and needs the memory of the model's weights a second
 * time. Its threads sleep while they wait, since other work runs at the same time.
 */
final class OnnxModel implements AutoCloseable {
    private final Path file;
    private final OrtSession session;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final WideSession wide;
    private final int runsAtOnce;

    private OnnxModel(Path file, OrtSession session, WideSession wide, int runsAtOnce) {
        this.file = file;
        this.session = session;
        this.wide = wide;
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
     * @param intraOpThreads a positive number of threads; for a negative number the processors
     *     divided by its magnitude, at least 1; 0 for a number that fits the load
     * @throws InvalidModelException if the file is missing or is not a runnable model
     */
    static OnnxModel open(Path file, int intraOpThreads) {
        if (!Files.isRegularFile(file)) {
            throw new InvalidModelException("There is no model file " + file);
        }
        int processors = Runtime.getRuntime().availableProcessors();
        try {
            int threads = Math.max(1, threads(intraOpThreads, processors));
            OrtSession session = session(file, threads);
            boolean isAdaptive = intraOpThreads == 0 && processors > 1;
            return new OnnxModel(
                    file,
                    session,
                    new WideSession(file, isAdaptive ? processors : 1),
                    Math.max(1, processors / threads));
        } catch (OrtException e) {
            throw new InvalidModelException(
                    "Model file " + file + " cannot be loaded: " + e.getMessage(), e);
        }
    }

    /** Returns the number of threads of a fixed setting; 0 for a number that follows the load. */
    static int threads(int setting, int processors) {
        return setting < 0 ? Math.max(1, Math.ceilDiv(processors, -setting)) : setting;
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
     */
    Output run(Map<String, long[]> inputs, int rows, String output) {
        boolean isAlone = inFlight.incrementAndGet() == 1;
        OrtSession chosen = session;
        boolean isWide = isAlone && wide.tryEnter();
        try {
            if (isWide) {
                chosen = wide.session();
            }
            return run(chosen, inputs, rows, output);
        } catch (OrtException e) {
            throw new IllegalStateException("model " + file + " failed: " + e.getMessage(), e);
        } finally {
            if (isWide) {
                wide.leave();
            }
            inFlight.decrementAndGet();
        }
    }

    @Override
    public void close() {
        try {
            session.close();
            wide.close();
        } catch (OrtException e) {
            throw new IllegalStateException("model " + file + " cannot be closed", e);
        }
    }

    private static Output run(
            OrtSession session, Map<String, long[]> inputs, int rows, String output)
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
            try (OrtSession.Result result = session.run(tensors, Set.of(output))) {
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

    private static OrtSession session(Path file, int threads) throws OrtException {
        try (var options = new OrtSession.SessionOptions()) {
            options.setIntraOpNumThreads(threads);
            options.setInterOpNumThreads(1);
            options.setExecutionMode(OrtSession.SessionOptions.ExecutionMode.SEQUENTIAL);
            options.setOptimizationLevel(OrtSession.SessionOptions.OptLevel.ALL_OPT);
            // Texts differ in length: an arena and patterns would keep memory for the longest.
            options.setCPUArenaAllocator(false);
            options.setMemoryPatternOptimization(false);
            options.addConfigEntry("session.intra_op.allow_spinning", "0");
            return OnnxEnvironment.SHARED.createSession(file.toString(), options);
        }
    }

    /** The session that uses all processors, for one run at a time. */
    private static final class WideSession {
        private final Path file;
        private final int threads;
        private final Semaphore free;
        private Optional<OrtSession> loaded = Optional.empty();

        /** With one thread there is no wide session, and {@link #tryEnter} always fails. */
        WideSession(Path file, int threads) {
            this.file = file;
            this.threads = threads;
            free = new Semaphore(threads > 1 ? 1 : 0);
        }

        boolean tryEnter() {
            return free.tryAcquire();
        }

        /** Called between entering and leaving, by one thread at a time. */
        OrtSession session() throws OrtException {
            if (loaded.isEmpty()) {
                loaded = Optional.of(OnnxModel.session(file, threads));
            }
            return loaded.get();
        }

        void leave() {
            free.release();
        }

        void close() throws OrtException {
            if (loaded.isPresent()) {
                loaded.get().close();
            }
        }
    }
}
