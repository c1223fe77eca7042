package org.crabro.ranking.onnx;

import ai.djl.huggingface.tokenizers.Encoding;
import java.nio.FloatBuffer;
import java.util.HashMap;
import java.util.Map;
import org.crabro.tensor.CellType;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;

/**
 * An embedder made of a transformer model and its tokenizer, both from files.
 *
 * <p>A text becomes tokens, the model gives one vector per token, and these are pooled into one. A
 * type with fewer cells than the model gets the first ones, before scaling. A type with int8 cells
 * gets one bit per value, set where the value is above 0, eight to a cell, the first one highest.
 *
 * <p>Runs do not wait for each other; {@link OnnxModel} says how many threads each gets.
 */
public final class HuggingFaceEmbedder implements Embedder {
    private final HuggingFaceSettings settings;
    private final TextModel model;

    /** Values in the model's vectors; -1 where the model does not say. */
    private final long modelSize;

    private HuggingFaceEmbedder(HuggingFaceSettings settings, TextModel model) {
        this.settings = settings;
        this.model = model;
        model.model().requireInputs(inputs(new long[0], new long[0], new long[0]).keySet());
        long[] shape = model.model().outputShape(settings.output());
        requireRank(shape.length);
        modelSize = shape[shape.length - 1];
    }

    /**
     * Loads the model and the tokenizer.
     *
     * @throws InvalidModelException if a file is missing or unfit, or the model has not the inputs
     *     and the output that the settings name
     */
    public static HuggingFaceEmbedder open(HuggingFaceSettings settings) {
        return TextModel.open(
                () ->
                        settings.special()
                                .map(special ->
                                        TextTokenizer.ofWordPieces(
                                                settings.tokenizer(),
                                                special,
                                                settings.maxTokens()))
                                .orElseGet(() ->
                                        TextTokenizer.open(
                                                settings.tokenizer(), settings.maxTokens())),
                () -> OnnxModel.open(settings.model(), settings.intraOpThreads()),
                model -> new HuggingFaceEmbedder(settings, model));
    }

    @Override
    public void check(TensorType type) {
        if (type.dimensions().size() != 1
                || !(type.dimensions().getFirst() instanceof Dimension.Indexed)) {
            throw new IllegalArgumentException(
                    "an embedding needs a type with one indexed dimension, not " + type);
        }
        requireValues(type, modelSize < 0 ? Long.MAX_VALUE : modelSize);
    }

    /** For a blank query the cells are all 0: it is as far from everything as can be. */
    @Override
    public DenseTensor embed(String text, Purpose purpose, TensorType type) {
        check(type);
        if (purpose == Purpose.QUERY && text.isBlank()) {
            return DenseTensor.of(type, new double[type.cellCount()]);
        }
        return model.use(() -> embed(prepended(text, purpose), type));
    }

    @Override
    public void close() {
        model.close();
    }

    private DenseTensor embed(String text, TensorType type) {
        Encoding tokens = model.tokenizer().tokens(text);
        Map<String, long[]> inputs =
                inputs(tokens.getIds(), tokens.getAttentionMask(), tokens.getTypeIds());
        OnnxModel.Output output = model.model().run(inputs, settings.output());
        requireRank(output.rank());
        requireValues(type, output.size());
        double[] values = pooled(output, tokens.getAttentionMask(), valueCount(type));
        if (settings.normalize()) {
            scaleToLength1(values);
        }
        return DenseTensor.of(type, type.cellType() == CellType.INT8 ? packedBits(values) : values);
    }

    private String prepended(String text, Purpose purpose) {
        return switch (purpose) {
            case DOCUMENT -> settings.prependDocument() + text;
            case QUERY -> settings.prependQuery() + text;
        };
    }

    private Map<String, long[]> inputs(long[] ids, long[] mask, long[] typeIds) {
        var inputs = new HashMap<String, long[]>();
        inputs.put(settings.inputIds(), ids);
        inputs.put(settings.attentionMask(), mask);
        if (!settings.tokenTypeIds().isEmpty()) {
            inputs.put(settings.tokenTypeIds(), typeIds);
        }
        return inputs;
    }

    private double[] pooled(OnnxModel.Output output, long[] mask, int count) {
        FloatBuffer values = output.values();
        double[] pooled = new double[count];
        switch (settings.pooling()) {
            case CLS, NONE -> {
                for (int i = 0; i < count; i++) {
                    pooled[i] = values.get(i);
                }
            }
            case MEAN -> {
                long used = 0;
                for (int token = 0; token < mask.length; token++) {
                    used += mask[token];
                    for (int i = 0; i < count && mask[token] != 0; i++) {
                        pooled[i] += values.get(token * output.size() + i);
                    }
                }
                for (int i = 0; i < count; i++) {
                    pooled[i] /= used;
                }
            }
        }
        return pooled;
    }

    private static void scaleToLength1(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value * value;
        }
        double length = Math.sqrt(sum);
        for (int i = 0; i < values.length && length > 0; i++) {
            values[i] /= length;
        }
    }

    /** Returns a cell for eight values: a bit is set where one is above 0. */
    static double[] packedBits(double[] values) {
        double[] cells = new double[values.length / Byte.SIZE];
        for (int i = 0; i < cells.length; i++) {
            int bits = 0;
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                bits = bits << 1 | (values[i * Byte.SIZE + bit] > 0 ? 1 : 0);
            }
            cells[i] = (byte) bits;
        }
        return cells;
    }

    /** How many of the model's values go into a tensor of {@code type}. */
    private static int valueCount(TensorType type) {
        return type.cellType() == CellType.INT8
                ? Math.multiplyExact(type.cellCount(), Byte.SIZE)
                : type.cellCount();
    }

    private void requireValues(TensorType type, long available) {
        if (valueCount(type) > available) {
            throw new IllegalArgumentException(
                    "%s takes %d values, but the model gives %d"
                            .formatted(type, valueCount(type), available));
        }
    }

    private void requireRank(int rank) {
        boolean isPooledByModel = settings.pooling() == HuggingFaceSettings.Pooling.NONE;
        int expected = isPooledByModel ? 2 : 3;
        if (rank != expected) {
            throw new InvalidModelException(
                    "Expected %d output dimensions for output name '%s': %s, got %d"
                            .formatted(
                                    expected,
                                    settings.output(),
                                    isPooledByModel
                                            ? "[batch, embedding]"
                                            : "[batch, sequence, embedding]",
                                    rank));
        }
    }
}
