package org.crabro.ranking.onnx;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The large weights of a model file, mapped to memory once. All sessions of the model use them, so
 * a further session needs memory only for weights that it stores in another order. Safe for use by
 * many threads. The owner closes the sessions first.
 */
final class ModelWeights implements SessionSource {
    /** Sessions have copies of smaller weights. */
    static final long SHARED_BYTES = 4 << 10;

    private final Path file;
    private final Arena arena = Arena.ofShared();
    private final Map<String, OnnxTensor> tensors = new LinkedHashMap<>();

    private ModelWeights(Path file) {
        this.file = file;
    }

    /**
     * Maps the weights of a file. Weights outside of the file are left out.
     *
     * @throws InvalidModelException if the file is no model or cannot be read
     */
    static ModelWeights map(Path file) {
        var weights = new ModelWeights(file);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            MemorySegment bytes =
                    channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), weights.arena);
            for (WeightReader.Weight weight : WeightReader.read(bytes)) {
                if (weight.bytes() >= SHARED_BYTES) {
                    weights.add(weight, bytes);
                }
            }
            return weights;
        } catch (IOException | OrtException e) {
            weights.close();
            throw new InvalidModelException(
                    file.getFileName() + " is no ONNX model: " + e.getMessage(), e);
        } catch (InvalidModelException e) {
            weights.close();
            throw e;
        }
    }

    private void add(WeightReader.Weight weight, MemorySegment bytesOfFile) throws OrtException {
        ByteBuffer bytes =
                bytesOfFile
                        .asSlice(weight.offset(), weight.bytes())
                        .asByteBuffer()
                        .order(ByteOrder.nativeOrder());
        OnnxTensor tensor =
                OnnxTensor.createTensor(
                        OnnxEnvironment.SHARED,
                        bytes,
                        weight.shape().stream().mapToLong(Long::longValue).toArray(),
                        weight.element().runtime());
        OnnxTensor other = tensors.put(weight.name(), tensor);
        if (other != null) {
            other.close();
        }
    }

    @Override
    public OrtSession load(SessionOptions options) throws OrtException {
        for (Map.Entry<String, OnnxTensor> weight : tensors.entrySet()) {
            options.addInitializer(weight.getKey(), weight.getValue());
        }
        return OnnxEnvironment.session(file, options);
    }

    /** Returns how many weights are shared. */
    int count() {
        return tensors.size();
    }

    @Override
    public void close() {
        tensors.values().forEach(OnnxTensor::close);
        arena.close();
    }
}
