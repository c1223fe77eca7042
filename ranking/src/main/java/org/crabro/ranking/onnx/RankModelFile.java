package org.crabro.ranking.onnx;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** The file of a model for ranking, loaded to inspect it. Not thread-safe. */
public final class RankModelFile implements AutoCloseable {
    private final Path file;
    private final RankSession session;
    private final List<ModelPort> inputs;
    private final List<ModelPort> outputs;
    private final boolean mayHaveRows;

    private RankModelFile(Path file, RankSession session, boolean mayHaveRows) throws OrtException {
        this.mayHaveRows = mayHaveRows;
        this.file = file;
        this.session = session;
        this.inputs = session.inputs();
        this.outputs = session.outputs();
    }

    /**
     * Loads a model.
     *
     * @throws InvalidModelException if it is too large, or ONNX Runtime does not take it; the
     *     message names no file
     */
    public static RankModelFile open(Path file) {
        long size = size(file);
        boolean mayHaveRows = RowsAtOnce.mayBe(ModelSignature.read(file), size);
        RankSession session =
                RankSession.open(file, ModelSettings.DEFAULT, ModelSessions.Place.CONTENT);
        try {
            return new RankModelFile(file, session, mayHaveRows);
        } catch (OrtException e) {
            session.close();
            throw RankSession.problem(e);
        }
    }

    private static long size(Path file) {
        try {
            long size = Files.size(file);
            if (size > ModelLimits.FILE_BYTES) {
                throw new InvalidModelException(
                        "%,d bytes, and a model has at most %,d"
                                .formatted(size, ModelLimits.FILE_BYTES));
            }
            return size;
        } catch (IOException e) {
            throw new InvalidModelException("it cannot be read: " + e.getMessage(), e);
        }
    }

    Path file() {
        return file;
    }

    boolean mayHaveRows() {
        return mayHaveRows;
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
     * Returns a binding, which accepts the types of all inputs in their order and returns outputs.
     */
    public ModelBinding binding() {
        return new ModelBinding(this);
    }

    /**
     * Returns the sizes of an output where all inputs are zeros.
     *
     * @throws InvalidModelException if the model cannot compute that
     */
    long[] sizes(List<RankModel.Value> given, ModelPort output) {
        var model = new RankModel("", file, ModelSettings.DEFAULT, given, List.of(), false);
        try (ModelBuffers buffers = ModelBuffers.of(model, 1);
                var end = new RunEnd(RunDeadline.nanos());
                OrtSession.Result result =
                        session.sessions()
                                .description()
                                .run(
                                        buffers.call(1).inputs(),
                                        Set.of(output.name()),
                                        end.options())) {
            if (result.get(0) instanceof OnnxTensor tensor) {
                return tensor.getInfo().getShape();
            }
            throw new InvalidModelException("output '%s' is no tensor".formatted(output.name()));
        } catch (OrtException e) {
            throw new InvalidModelException(
                    "the size of output '%s' depends on what is computed, and for zeros that fails: %s"
                            .formatted(output.name(), RankSession.reason(e)),
                    e);
        }
    }

    @Override
    public void close() {
        session.close();
    }
}
