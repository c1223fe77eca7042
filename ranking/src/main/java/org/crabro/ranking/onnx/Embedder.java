package org.crabro.ranking.onnx;

import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.TensorType;

/** Turns text into a vector, or into several with labels. Safe for use by many threads. */
public interface Embedder extends AutoCloseable {
    /** The purpose of an embedding; it determines the prefix of the text. */
    enum Purpose {
        DOCUMENT,
        QUERY
    }

    /**
     * Returns the embedding of {@code text}.
     *
     * @param type has one indexed dimension, no larger than the model's; the first cells are kept
     * @throws IllegalArgumentException with the reason, if the model cannot fill {@code type}
     */
    DenseTensor embed(String text, Purpose purpose, TensorType type);

    /**
     * Returns the embedding of {@code text} as a tensor with labels: one label for each token, or
     * for each word of a sparse embedding.
     *
     * @param type has a mapped dimension
     * @throws IllegalArgumentException with the reason, if the model cannot fill {@code type}
     */
    default MixedTensor embedWithLabels(String text, Purpose purpose, TensorType type) {
        check(type);
        throw new IllegalArgumentException("the embedder makes no labels, as " + type + " has");
    }

    /**
     * Checks that the model can fill a type. A deployment calls it, so that no later put fails.
     *
     * @throws IllegalArgumentException with the reason, if the model cannot fill it
     */
    void check(TensorType type);

    @Override
    void close();
}
