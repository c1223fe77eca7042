package org.crabro.ranking.onnx;

import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.TensorType;

/** Turns text into a vector, or into several with labels. Safe for use by many threads. */
public interface Embedder extends AutoCloseable {
    /** What an embedding is for; it decides the text put in front. */
    enum Purpose {
        DOCUMENT,
        QUERY
    }

    /**
     * Returns the embedding of {@code text}.
     *
     * @param type one indexed dimension, no larger than the model's; the first cells are kept
     * @throws IllegalArgumentException if the model cannot fill {@code type}; the message says why
     */
    DenseTensor embed(String text, Purpose purpose, TensorType type);

    /**
     * Returns the embedding of {@code text} as a tensor with labels: one for each of its tokens, or
     * for each word that it is about.
     *
     * @param type with a mapped dimension
     * @throws IllegalArgumentException if the model cannot fill {@code type}; the message says why
     */
    default MixedTensor embedWithLabels(String text, Purpose purpose, TensorType type) {
        check(type);
        throw new IllegalArgumentException("the embedder makes no labels, as " + type + " has");
    }

    /**
     * Refuses a type that the model cannot fill, so that a deployment is refused and not a put.
     *
     * @throws IllegalArgumentException if so; the message says why
     */
    void check(TensorType type);

    @Override
    void close();
}
