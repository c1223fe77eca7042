package org.crabro.ranking.onnx;

import ai.djl.huggingface.tokenizers.Encoding;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.TensorType;

/**
 * An embedder that computes weights of words. The weight of a word of the vocabulary is the
 * logarithm of 1 plus the model's largest value for it at any position of the text.
 */
final class SpladeEmbedder implements Embedder {
    private final SpladeSettings settings;
    private final TextModel model;
    private final Transformer transformer;

    private SpladeEmbedder(SpladeSettings settings, TextModel model) {
        this.settings = settings;
        this.model = model;
        this.transformer =
                new Transformer(
                        model.model(),
                        new Transformer.Names(
                                settings.model().inputIds(),
                                settings.model().attentionMask(),
                                settings.model().tokenTypeIds(),
                                settings.model().output()),
                        "batch",
                        "sequence",
                        "vocabulary");
    }

    static SpladeEmbedder open(SpladeSettings settings) {
        return TextModel.open(
                () ->
                        TextTokenizer.open(
                                settings.tokenizer().file(), settings.tokenizer().maxTokens()),
                () -> OnnxModel.open(settings.model().file(), settings.model().settings()),
                model -> new SpladeEmbedder(settings, model));
    }

    @Override
    public void check(TensorType type) {
        if (type.dimensions().size() != 1
                || !(type.dimensions().getFirst() instanceof Dimension.Mapped)) {
            throw new IllegalArgumentException(
                    "weights of words need a type with one mapped dimension, not " + type);
        }
    }

    /** Not supported: the words are labels, so the type needs a mapped dimension. */
    @Override
    public DenseTensor embed(String text, Purpose purpose, TensorType type) {
        check(type);
        throw new IllegalArgumentException(type + " has no room for labels");
    }

    @Override
    public MixedTensor embedWithLabels(String text, Purpose purpose, TensorType type) {
        check(type);
        String prepended =
                switch (purpose) {
                    case DOCUMENT -> settings.prefixes().document() + text;
                    case QUERY -> settings.prefixes().query() + text;
                };
        return model.use(() -> weights(prepended, type));
    }

    private MixedTensor weights(String text, TensorType type) {
        Encoding tokens = model.tokenizer().tokens(text);
        long[] mask = tokens.getAttentionMask();
        OnnxModel.Output output = transformer.run(tokens.getIds(), mask, tokens.getTypeIds());
        Map<List<String>, double[]> weights = new HashMap<>();
        for (int word = 0; word < output.size(); word++) {
            double most = 0;
            for (int place = 0; place < mask.length; place++) {
                if (mask[place] != 0) {
                    most = Math.max(most, output.values().get(place * output.size() + word));
                }
            }
            double weight = Math.log1p(most);
            if (weight > settings.threshold()) {
                weights.merge(
                        List.of(model.tokenizer().text(word)),
                        new double[] {weight},
                        (one, other) -> one[0] > other[0] ? one : other);
            }
        }
        return MixedTensor.of(type, weights);
    }

    @Override
    public void close() {
        model.close();
    }
}
