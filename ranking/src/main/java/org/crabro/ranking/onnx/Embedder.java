package org.crabro.ranking.onnx;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.Tensor;
import org.crabro.tensor.TensorType;

/** Turns text into a vector, or into several with labels. Safe for use by many threads. */
public interface Embedder extends AutoCloseable {
    /** The purpose of an embedding; it determines the prefix of the text. */
    enum Purpose {
        DOCUMENT,
        QUERY
    }

    /**
     * What texts are embedded for.
     *
     * @param type of the embedding of each text
     * @param timeout the time from the call to its result
     */
    record Target(Purpose purpose, TensorType type, Duration timeout) {
        /** A timeout for callers that wait as long as it takes. */
        public static final Duration NO_TIMEOUT = Duration.ofDays(1);
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
     * Returns the embeddings of several texts, in their order. One call is faster than one for each
     * text, because a model computes several texts together.
     *
     * @throws IllegalArgumentException with the reason, if the model cannot fill the type
     * @throws EmbeddingRefusedException if an embedding is not available in time, or at all
     */
    default List<Tensor> embedAll(List<String> texts, Target target) {
        var tensors = new ArrayList<Tensor>(texts.size());
        for (String text : texts) {
            tensors.add(
                    target.type().isDense()
                            ? embed(text, target.purpose(), target.type())
                            : embedWithLabels(text, target.purpose(), target.type()));
        }
        return tensors;
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
