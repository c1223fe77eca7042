package org.crabro.ranking.onnx;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.crabro.ranking.onnx.threads.ModelBusyException;

/**
 * A model with its own buffers, for one thread. The caller sets all inputs of one or more rows,
 * runs the model, and reads the outputs. Only ONNX Runtime allocates memory in a run. Valid until
 * its {@link ModelRuns} is closed.
 */
public final class ModelRun {
    private final RankModel model;
    private final ModelSessions sessions;
    private final ModelBuffers buffers;
    private final Query query;
    private final Set<Integer> outputs;

    /** The cells of the inputs of one row. */
    private final long rowCells;

    /** The outputs of calls for some rows, made when first called. */
    private final List<Wanted> wanted = new ArrayList<>();

    private record Wanted(int size, Map<String, OnnxTensor> outputs) {}

    /**
     * What the runs of a query share.
     *
     * @param deadline until which they wait for a free core, on the scale of {@link
     *     System#nanoTime()}
     * @param count rises with each row that is computed
     * @param end ends runs at the deadline
     */
    record Query(long deadline, LongAdder count, RunEnd end) {}

    /**
     * @param outputs the numbers of those that are wanted
     */
    ModelRun(
            RankModel model,
            RankSession session,
            ModelBuffers buffers,
            Set<Integer> outputs,
            Query query) {
        this.model = model;
        this.sessions = session.sessions();
        this.buffers = buffers;
        this.outputs = Set.copyOf(outputs);
        this.query = query;
        this.rowCells = model.inputs().stream().mapToLong(RankModel.Value::cellCount).sum();
    }

    /** Returns how many rows it takes at once. */
    public int rows() {
        return buffers.rows();
    }

    /**
     * Sets the cells of an input, in row-major order.
     *
     * @param row below {@link #rows}
     * @throws IllegalArgumentException if there are more or fewer than the input has
     */
    public void input(int number, int row, double[] cells, int count) {
        ModelBuffers.Slot slot = buffers.inputs().get(number);
        if (count != slot.cellCount()) {
            throw new IllegalArgumentException(
                    "%d cells for input '%s' of onnx-model '%s', which takes %d"
                            .formatted(count, slot.value().name(), model.name(), slot.cellCount()));
        }
        slot.value().element().write(cells, count, slot.bytes(), row * slot.rowBytes());
    }

    /**
     * Computes the outputs that are read.
     *
     * @param rows the number of rows whose inputs are set, from 0 on
     * @throws ModelFailedException if the model fails on these inputs
     * @throws ModelBusyException if the run cannot start or end before the deadline of the query
     */
    public void run(int rows) {
        query.count.add(rows);
        ModelBuffers.Call call = buffers.call(rows);
        for (int row = rows; row < call.size(); row++) {
            // The unused rows need valid inputs as well.
            for (ModelBuffers.Slot slot : buffers.inputs()) {
                int size = slot.rowBytes();
                slot.bytes().put(row * size, slot.bytes(), (rows - 1) * size, size);
            }
        }
        Map<String, OnnxTensor> results = wanted(call);
        try {
            sessions.run(
                    rowCells * call.size(),
                    query.deadline,
                    session -> {
                        // The results are in our own memory.
                        session.run(call.inputs(), Set.of(), results, query.end.options()).close();
                        return true;
                    });
        } catch (OrtException e) {
            if (query.end.isEnded()) {
                throw new ModelBusyException(
                        "onnx-model '%s' was ended at the deadline of the request"
                                .formatted(model.name()));
            }
            throw new ModelFailedException(model.name(), e);
        }
    }

    private Map<String, OnnxTensor> wanted(ModelBuffers.Call call) {
        for (Wanted earlier : wanted) {
            if (earlier.size == call.size()) {
                return earlier.outputs;
            }
        }
        var tensors = new LinkedHashMap<String, OnnxTensor>();
        for (int output : outputs) {
            tensors.put(model.outputs().get(output).name(), call.outputs().get(output));
        }
        wanted.add(new Wanted(call.size(), tensors));
        return tensors;
    }

    /** Writes the cells of an output, from {@code offset} on. */
    public void output(int number, int row, double[] into, int offset) {
        ModelBuffers.Slot slot = buffers.outputs().get(number);
        slot.value()
                .element()
                .read(slot.bytes(), row * slot.rowBytes(), into, offset, slot.cellCount());
    }
}
