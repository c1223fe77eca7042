package org.crabro.ranking.onnx;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Native memory that a model reads its inputs from and writes its outputs to, used again from one
 * evaluation to the next. For one thread at a time; closed by who made it.
 */
final class ModelBuffers implements AutoCloseable {
    private final List<Slot> inputs = new ArrayList<>();
    private final List<Slot> outputs = new ArrayList<>();
    private final Map<String, OnnxTensor> inputTensors = new LinkedHashMap<>();

    /** One tensor, and the memory that it lies in. */
    record Slot(RankModel.Value value, int cellCount, ByteBuffer bytes, OnnxTensor tensor) {}

    private ModelBuffers() {}

    static ModelBuffers of(RankModel model) {
        var buffers = new ModelBuffers();
        try {
            for (RankModel.Value input : model.inputs()) {
                Slot slot = slot(input);
                buffers.inputs.add(slot);
                buffers.inputTensors.put(input.name(), slot.tensor);
            }
            for (RankModel.Value output : model.outputs()) {
                buffers.outputs.add(slot(output));
            }
            return buffers;
        } catch (OrtException e) {
            buffers.close();
            throw new ModelFailedException(model.name(), e);
        }
    }

    private static Slot slot(RankModel.Value value) throws OrtException {
        int count = value.cellCount();
        ByteBuffer bytes =
                ByteBuffer.allocateDirect(Math.multiplyExact(count, value.element().size()))
                        .order(ByteOrder.nativeOrder());
        return new Slot(
                value,
                count,
                bytes,
                OnnxTensor.createTensor(
                        OnnxEnvironment.SHARED, bytes, value.shape(), value.element().runtime()));
    }

    Slot input(int number) {
        return inputs.get(number);
    }

    Slot output(int number) {
        return outputs.get(number);
    }

    /** Returns how much memory they are. */
    long bytes() {
        return Stream.concat(inputs.stream(), outputs.stream())
                .mapToLong(slot -> slot.bytes.capacity())
                .sum();
    }

    /** Returns all inputs by name. */
    Map<String, OnnxTensor> inputTensors() {
        return inputTensors;
    }

    @Override
    public void close() {
        inputs.forEach(slot -> slot.tensor.close());
        outputs.forEach(slot -> slot.tensor.close());
    }
}
