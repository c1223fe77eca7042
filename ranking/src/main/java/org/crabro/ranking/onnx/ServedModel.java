package org.crabro.ranking.onnx;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OnnxValue;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import ai.onnxruntime.TensorInfo;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.crabro.document.memory.MemoryShare;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;

/**
 * A loaded model whose inputs are tensors of any sizes that it accepts, to be evaluated on request.
 * Safe for use by many threads. The caller of close ensures that no thread runs it any more.
 */
public final class ServedModel implements AutoCloseable {
    /** Copies of a cell of an input: as a double, and as the model reads it. */
    private static final int INPUT_BYTES = 2 * Double.BYTES;

    /** A cell of an output, and its copy. */
    private static final int OUTPUT_BYTES = 2 * Double.BYTES;

    private final String name;
    private final ModelSessions sessions;
    private final List<ModelPort> inputs;
    private final List<ModelPort> outputs;

    private ServedModel(String name, ModelSessions sessions) throws OrtException {
        this.name = name;
        this.sessions = sessions;
        this.inputs = RankSession.ports(sessions.description().getInputInfo().values());
        this.outputs = RankSession.ports(sessions.description().getOutputInfo().values());
    }

    /**
     * Loads a model.
     *
     * @param name in messages
     * @throws InvalidModelException if ONNX Runtime does not take it; the message names the model
     */
    public static ServedModel open(String name, Path file, ModelSettings settings) {
        try {
            ModelSessions sessions =
                    ModelSessions.open(
                            file,
                            settings,
                            ModelSessions.Place.CONTAINER,
                            () -> options(settings.isOptimized()));
            try {
                return new ServedModel(name, sessions);
            } catch (OrtException | RuntimeException | Error e) {
                sessions.close();
                throw e;
            }
        } catch (OrtException e) {
            throw new InvalidModelException(
                    "model '%s' cannot be loaded: %s".formatted(name, RankSession.reason(e)), e);
        }
    }

    private static SessionOptions options(boolean isOptimized) throws OrtException {
        var options = new SessionOptions();
        options.setOptimizationLevel(
                isOptimized ? SessionOptions.OptLevel.ALL_OPT : SessionOptions.OptLevel.NO_OPT);
        options.setCPUArenaAllocator(false);
        options.setMemoryPatternOptimization(false);
        // The sender of the request sees a failure; the log does not.
        options.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL);
        return options;
    }

    /** Returns the inputs of the model, in its order. */
    public List<ModelPort> inputs() {
        return inputs;
    }

    /** Returns the outputs of the model, in its order. */
    public List<ModelPort> outputs() {
        return outputs;
    }

    /**
     * Computes one output.
     *
     * @param given a tensor for each input, in their order, with as many dimensions
     * @param output its number
     * @throws ModelFailedException if the model rejects the inputs
     * @throws org.crabro.document.memory.MemoryRefusedException if there is no memory for copies of
     *     the inputs, or for the output
     * @throws org.crabro.ranking.onnx.threads.ModelBusyException if the run cannot start before
     *     {@link RunDeadline}
     */
    public DenseTensor evaluate(List<DenseTensor> given, int output) {
        long size = given.stream().mapToLong(DenseTensor::size).sum();
        // The run may have another thread.
        MemoryShare memory = MemoryShare.current();
        try (MemoryShare ofInputs = memory.part()) {
            ofInputs.charge(INPUT_BYTES * size);
            return sessions.run(
                    size, RunDeadline.nanos(), session -> evaluate(session, given, output, memory));
        } catch (OrtException e) {
            throw new ModelFailedException(name, e);
        }
    }

    private DenseTensor evaluate(
            OrtSession session, List<DenseTensor> given, int output, MemoryShare memory)
            throws OrtException {
        Map<String, OnnxTensor> tensors = new HashMap<>();
        try {
            for (int i = 0; i < inputs.size(); i++) {
                tensors.put(inputs.get(i).name(), tensor(inputs.get(i), given.get(i)));
            }
            try (OrtSession.Result result =
                    session.run(tensors, Set.of(outputs.get(output).name()))) {
                return tensor(outputs.get(output), result.get(0), memory);
            }
        } finally {
            tensors.values().forEach(OnnxTensor::close);
        }
    }

    private static OnnxTensor tensor(ModelPort input, DenseTensor given) throws OrtException {
        ElementType element = input.element().orElseThrow();
        var cells = new double[given.size()];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = given.cell(i);
        }
        int bytes = Math.multiplyExact(cells.length, element.size());
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
        element.write(cells, cells.length, buffer, 0);
        long[] shape =
                given.type().dimensions().stream()
                        .mapToLong(each -> ((Dimension.Indexed) each).size())
                        .toArray();
        return OnnxTensor.createTensor(OnnxEnvironment.SHARED, buffer, shape, element.runtime());
    }

    private DenseTensor tensor(ModelPort output, OnnxValue value, MemoryShare memory) {
        if (!(value instanceof OnnxTensor tensor)) {
            throw new ModelFailedException(
                    name, "output '%s' is no tensor".formatted(output.name()));
        }
        TensorInfo info = tensor.getInfo();
        ElementType element = output.element().orElseThrow();
        long count = 1;
        var dimensions = new ArrayList<Dimension>();
        for (long size : info.getShape()) {
            count = Math.min(Integer.MAX_VALUE, count * size);
            if (size < 1 || count > ModelLimits.CELLS) {
                throw new ModelFailedException(
                        name,
                        "output '%s' has %s values, and 1 to %,d are expected"
                                .formatted(
                                        output.name(),
                                        size < 1
                                                ? "no"
                                                : "more than %,d".formatted(ModelLimits.CELLS),
                                        ModelLimits.CELLS));
            }
            dimensions.add(new Dimension.Indexed("d" + dimensions.size(), (int) size));
        }
        memory.chargeNow(OUTPUT_BYTES * count);
        var cells = new double[(int) count];
        element.read(
                tensor.getByteBuffer().order(ByteOrder.nativeOrder()), 0, cells, 0, cells.length);
        return DenseTensor.of(
                dimensions.isEmpty()
                        ? TensorType.SCALAR
                        : new TensorType(element.cells(), dimensions),
                cells);
    }

    /** Called when the last run has ended. */
    @Override
    public void close() {
        sessions.close();
    }
}
