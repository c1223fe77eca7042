package org.crabro.container;

import java.util.List;
import java.util.function.BiFunction;
import org.crabro.ranking.onnx.Embedder;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.Tensor;
import org.crabro.tensor.TensorType;

/**
 * An embedder of the application that is active when a text is embedded. The application is in use
 * until the embedding is computed, so that its model is not closed before.
 */
final class ActiveEmbedder implements Embedder {
    private final ActiveGeneration active;
    private final String id;

    ActiveEmbedder(ActiveGeneration active, String id) {
        this.active = active;
        this.id = id;
    }

    @Override
    public DenseTensor embed(String text, Purpose purpose, TensorType type) {
        return with(type, (embedder, of) -> embedder.embed(text, purpose, of));
    }

    @Override
    public MixedTensor embedWithLabels(String text, Purpose purpose, TensorType type) {
        return with(type, (embedder, of) -> embedder.embedWithLabels(text, purpose, of));
    }

    @Override
    public List<Tensor> embedAll(List<String> texts, Target target) {
        return with(target.type(), (embedder, _) -> embedder.embedAll(texts, target));
    }

    @Override
    public void check(TensorType type) {
        boolean _ =
                with(
                        type,
                        (embedder, of) -> {
                            embedder.check(of);
                            return true;
                        });
    }

    private <T> T with(TensorType type, BiFunction<Embedder, TensorType, T> use) {
        Generation generation =
                active.acquire().orElseThrow(() -> new IllegalArgumentException(missing()));
        try {
            Embedder embedder = generation.embedders().get(id);
            if (embedder == null) {
                throw new IllegalArgumentException(missing());
            }
            return use.apply(embedder, type);
        } finally {
            generation.release();
        }
    }

    private String missing() {
        return "the active application has no embedder '" + id + "'";
    }

    /** Closes nothing: the application owns its models. */
    @Override
    public void close() {
        // The application closes its embedders.
    }
}
