package org.crabro.ranking.onnx;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.Tensor;
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
                model.transformer(
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
        return weights(List.of(text), new Target(purpose, type, Target.NO_TIMEOUT)).getFirst();
    }

    @Override
    public List<Tensor> embedAll(List<String> texts, Target target) {
        return List.copyOf(weights(texts, target));
    }

    private List<MixedTensor> weights(List<String> texts, Target target) {
        check(target.type());
        String prefix =
                switch (target.purpose()) {
                    case DOCUMENT -> settings.prefixes().document();
                    case QUERY -> settings.prefixes().query();
                };
        return model.use(() -> {
            List<TextRow> rows =
                    texts.stream()
                            .map(text -> TextRow.of(model.tokenizer().tokens(prefix + text)))
                            .toList();
            return transformer.run(
                    rows, target, (row, output) -> weights(row, output, target.type()));
        });
    }

    private MixedTensor weights(TextRow row, OnnxModel.Output output, TensorType type) {
        long[] mask = row.mask();
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
