package org.crabro.ranking.onnx;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The model of a text: takes the numbers of its tokens under the names of its inputs, and returns
 * an output of the rank that an embedder needs. Thread-safe.
 */
final class Transformer {
    private final OnnxModel model;
    private final Names names;
    private final List<String> shape;
    private final long size;

    /**
     * The names of the inputs and the output.
     *
     * @param typeIds empty if the model has no such input
     */
    record Names(String ids, String mask, String typeIds, String output) {}

    /**
     * @param shape the names of the dimensions of the output
     * @throws InvalidModelException if the model has no such inputs or output, or one of another
     *     rank
     */
    Transformer(OnnxModel model, Names names, String... shape) {
        this.model = model;
        this.names = names;
        this.shape = Arrays.asList(shape);
        long[] nothing = new long[0];
        model.requireInputs(inputs(nothing, nothing, nothing).keySet());
        long[] found = model.outputShape(names.output());
        requireRank(found.length);
        size = found[found.length - 1];
    }

    /** Returns the size of the last dimension, or -1 if the model does not declare it. */
    long size() {
        return size;
    }

    /**
     * Runs the model.
     *
     * @param typeIds not read where the model takes none
     */
    OnnxModel.Output run(long[] ids, long[] mask, long[] typeIds) {
        OnnxModel.Output output = model.run(inputs(ids, mask, typeIds), names.output());
        requireRank(output.rank());
        return output;
    }

    private Map<String, long[]> inputs(long[] ids, long[] mask, long[] typeIds) {
        var inputs = new HashMap<String, long[]>();
        inputs.put(names.ids(), ids);
        inputs.put(names.mask(), mask);
        if (!names.typeIds().isEmpty()) {
            inputs.put(names.typeIds(), typeIds);
        }
        return inputs;
    }

    private void requireRank(int rank) {
        if (rank != shape.size()) {
            throw new InvalidModelException(
                    "Expected %d output dimensions for output name '%s': %s, got %d"
                            .formatted(shape.size(), names.output(), shape, rank));
        }
    }
}
