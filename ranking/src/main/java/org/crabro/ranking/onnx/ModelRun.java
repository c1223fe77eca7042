package org.crabro.ranking.onnx;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/**
 * A model with memory of its own to run in, for one thread: give it all inputs, run it, take what
 * comes out; then the next. It allocates nothing but what ONNX Runtime does. Valid until the {@link
 * ModelRuns} that it is of are closed.
 */
public final class ModelRun {
    private final RankModel model;
    private final OrtSession session;
    private final ModelBuffers buffers;
    private final LongAdder count;
    private final Map<String, OnnxTensor> outputs = new LinkedHashMap<>();

    ModelRun(
            RankModel model,
            RankSession session,
            ModelBuffers buffers,
            Set<Integer> outputs,
            LongAdder count) {
        this.count = count;
        this.model = model;
        this.session = session.session();
        this.buffers = buffers;
        for (int output : outputs) {
            this.outputs.put(model.outputs().get(output).name(), buffers.output(output).tensor());
        }
    }

    ModelBuffers buffers() {
        return buffers;
    }

    /**
     * Gives an input its cells, in row-major order.
     *
     * @throws IllegalArgumentException if there are more or fewer than the input has
     */
    public void input(int number, double[] cells, int count) {
        ModelBuffers.Slot slot = buffers.input(number);
        if (count != slot.cellCount()) {
            throw new IllegalArgumentException(
                    "%d cells for input '%s' of onnx-model '%s', which takes %d"
                            .formatted(count, slot.value().name(), model.name(), slot.cellCount()));
        }
        slot.value().element().write(cells, count, slot.bytes());
    }

    /**
     * Computes the outputs that were asked for.
     *
     * @throws ModelFailedException if that cannot be done with these inputs
     */
    public void run() {
        count.increment();
        // The results lie in memory of ours, and the object that names them holds nothing.
        try (OrtSession.Result _ = session.run(buffers.inputTensors(), outputs)) {
            return;
        } catch (OrtException e) {
            throw new ModelFailedException(model.name(), e);
        }
    }

    /** Writes the cells of an output that was asked for, from {@code offset} on. */
    public void output(int number, double[] into, int offset) {
        ModelBuffers.Slot slot = buffers.output(number);
        slot.value().element().read(slot.bytes(), into, offset, slot.cellCount());
    }
}
