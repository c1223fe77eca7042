package org.crabro.container.search;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.crabro.ranking.onnx.Embedder;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.TensorType;

/**
 * Embeds a text as its length and a number of its own, with the label 0 if the type has labels.
 * Records the texts.
 */
final class LengthEmbedder implements Embedder {
    final List<String> texts = new ArrayList<>();
    private final double own;

    LengthEmbedder(double own) {
        this.own = own;
    }

    @Override
    public DenseTensor embed(String text, Purpose purpose, TensorType type) {
        assert purpose == Purpose.QUERY;
        texts.add(text);
        return DenseTensor.of(type, new double[] {text.length(), own});
    }

    @Override
    public MixedTensor embedWithLabels(String text, Purpose purpose, TensorType type) {
        assert purpose == Purpose.QUERY;
        return MixedTensor.of(type, Map.of(List.of("0"), new double[] {text.length(), own}));
    }

    @Override
    public void check(TensorType type) {}

    @Override
    public void close() {}
}
