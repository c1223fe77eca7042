package org.crabro.ranking.onnx;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.crabro.document.memory.MemoryShare;

/**
 * Native memory for the inputs and outputs of a model, for one row or for several consecutive rows.
 * It is reused from one evaluation to the next. For one thread at a time; the creator closes it.
 */
final class ModelBuffers implements AutoCloseable {
    /** So many rows are computed by one call, or as few more as make it one of these. */
    private static final int[] SIZES = {1, 4, 16, 64};

    /** How many rows there is room for where a model computes several at once. */
    static final int ROWS = SIZES[SIZES.length - 1];

    /** Smaller buffers are not charged to the request. */
    private static final int CHARGED = 64 << 10;

    private final List<Slot> inputs = new ArrayList<>();
    private final List<Slot> outputs = new ArrayList<>();
    private final List<Call> calls = new ArrayList<>();
    private final int rows;

    /** The memory of one input or output. */
    record Slot(RankModel.Value value, int cellCount, ByteBuffer bytes) {
        int rowBytes() {
            return cellCount * value.element().size();
        }
    }

    /**
     * The buffers of one call.
     *
     * @param size the number of rows
     */
    record Call(int size, Map<String, OnnxTensor> inputs, List<OnnxTensor> outputs) {}

    private ModelBuffers(int rows) {
        this.rows = rows;
    }

    /**
     * @param rows 1, or {@link #ROWS}
     */
    static ModelBuffers of(RankModel model, int rows) {
        var buffers = new ModelBuffers(rows);
        model.inputs().forEach(input -> buffers.inputs.add(slot(input, rows)));
        model.outputs().forEach(output -> buffers.outputs.add(slot(output, rows)));
        try {
            for (int size : SIZES) {
                if (size <= rows) {
                    buffers.add(size);
                }
            }
            return buffers;
        } catch (OrtException e) {
            buffers.close();
            throw new ModelFailedException(model.name(), e);
        }
    }

    private static Slot slot(RankModel.Value value, int rows) {
        int count = value.cellCount();
        int bytes = Math.multiplyExact(Math.multiplyExact(count, value.element().size()), rows);
        if (bytes > CHARGED) {
            MemoryShare.current().chargeNow(bytes);
        }
        return new Slot(
                value, count, ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder()));
    }

    private void add(int size) throws OrtException {
        // Added before the first tensor is created, so that its tensors are closed if a later one
        // fails.
        var call = new Call(size, new LinkedHashMap<>(), new ArrayList<>());
        calls.add(call);
        for (Slot input : inputs) {
            call.inputs.put(input.value.name(), tensor(input, size));
        }
        for (Slot output : outputs) {
            call.outputs.add(tensor(output, size));
        }
    }

    private static OnnxTensor tensor(Slot slot, int size) throws OrtException {
        long[] shape = slot.value.shape();
        if (size > 1) {
            shape[0] = size;
        }
        ByteBuffer part =
                slot.bytes.slice(0, slot.rowBytes() * size).order(ByteOrder.nativeOrder());
        return OnnxTensor.createTensor(
                OnnxEnvironment.SHARED, part, shape, slot.value.element().runtime());
    }

    /** Returns how many rows there is room for. */
    int rows() {
        return rows;
    }

    /**
     * Returns the call for {@code count} rows. If it has more rows, the caller has to fill them.
     */
    Call call(int count) {
        for (Call call : calls) {
            if (call.size >= count) {
                return call;
            }
        }
        throw new IllegalArgumentException(count + " rows, and room for " + rows);
    }

    List<Slot> inputs() {
        return inputs;
    }

    List<Slot> outputs() {
        return outputs;
    }

    /** Returns how much memory the buffers of one row are. */
    static long rowBytes(RankModel model) {
        long bytes = 0;
        for (List<RankModel.Value> values : List.of(model.inputs(), model.outputs())) {
            for (RankModel.Value value : values) {
                bytes += (long) value.cellCount() * value.element().size();
            }
        }
        return bytes;
    }

    @Override
    public void close() {
        for (Call call : calls) {
            call.inputs.values().forEach(OnnxTensor::close);
            call.outputs.forEach(OnnxTensor::close);
        }
    }
}
