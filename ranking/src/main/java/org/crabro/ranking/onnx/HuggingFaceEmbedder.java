package org.crabro.ranking.onnx;

import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.Tensor;
import org.crabro.tensor.TensorType;

/**
 * An embedder of a transformer model and its tokenizer, both read from files.
 *
 * <p>The tokenizer splits a text into tokens, the model computes one vector per token, and these
 * are pooled into one. A type with fewer cells than the model's vector gets the first cells, before
 * scaling. A type with int8 cells gets one bit per value, set if the value is above 0. Eight bits
 * form a cell, the first bit is the highest.
 *
 * <p>{@link BatchedRuns} computes texts of concurrent calls together. {@link OnnxModel} decides the
 * number of threads of a run.
 */
public final class HuggingFaceEmbedder implements Embedder {
    private final HuggingFaceSettings settings;
    private final TextModel model;
    private final Transformer transformer;

    private HuggingFaceEmbedder(HuggingFaceSettings settings, TextModel model) {
        this.settings = settings;
        this.model = model;
        var names =
                new Transformer.Names(
                        settings.model().inputIds(),
                        settings.model().attentionMask(),
                        settings.model().tokenTypeIds(),
                        settings.model().output());
        this.transformer =
                settings.pooling() == HuggingFaceSettings.Pooling.NONE
                        ? model.transformer(names, "batch", "embedding")
                        : model.transformer(names, "batch", "sequence", "embedding");
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
                                                settings.tokenizer().file(),
                                                special,
                                                settings.tokenizer().maxTokens()))
                                .orElseGet(() ->
                                        TextTokenizer.open(
                                                settings.tokenizer().file(),
                                                settings.tokenizer().maxTokens())),
                () -> OnnxModel.open(settings.model().file(), settings.model().settings()),
                model -> new HuggingFaceEmbedder(settings, model));
    }

    @Override
    public void check(TensorType type) {
        if (type.dimensions().size() != 1
                || !(type.dimensions().getFirst() instanceof Dimension.Indexed)) {
            throw new IllegalArgumentException(
                    "an embedding needs a type with one indexed dimension, not " + type);
        }
        EmbeddedCells.requireValues(type, transformer.size(), "");
    }

    @Override
    public DenseTensor embed(String text, Purpose purpose, TensorType type) {
        var target = new Target(purpose, type, Target.NO_TIMEOUT);
        return vectors(List.of(text), target).getFirst();
    }

    /** For a blank query the cells are all 0: it is as far from everything as can be. */
    @Override
    public List<Tensor> embedAll(List<String> texts, Target target) {
        return List.copyOf(vectors(texts, target));
    }

    private List<DenseTensor> vectors(List<String> texts, Target target) {
        TensorType type = target.type();
        check(type);
        var zeros =
                texts.stream()
                        .map(text -> target.purpose() == Purpose.QUERY && text.isBlank())
                        .toList();
        return model.use(() -> {
            var rows = new ArrayList<TextRow>(texts.size());
            for (int i = 0; i < texts.size(); i++) {
                if (!zeros.get(i)) {
                    String text = prepended(texts.get(i), target.purpose());
                    rows.add(TextRow.of(model.tokenizer().tokens(text)));
                }
            }
            Iterator<DenseTensor> vectors =
                    transformer
                            .run(rows, target, (row, output) -> vector(row, output, type))
                            .iterator();
            return zeros.stream()
                    .map(isZero ->
                            isZero
                                    ? DenseTensor.of(type, new double[type.cellCount()])
                                    : vectors.next())
                    .toList();
        });
    }

    @Override
    public void close() {
        model.close();
    }

    private DenseTensor vector(TextRow row, OnnxModel.Output output, TensorType type) {
        EmbeddedCells.requireValues(type, output.size(), "");
        double[] values = pooled(output, row.mask(), EmbeddedCells.valueCount(type));
        if (settings.normalize()) {
            scaleToLength1(values);
        }
        return DenseTensor.of(type, EmbeddedCells.cells(type, values));
    }

    private String prepended(String text, Purpose purpose) {
        return switch (purpose) {
            case DOCUMENT -> settings.prefixes().document() + text;
            case QUERY -> settings.prefixes().query() + text;
        };
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
}
