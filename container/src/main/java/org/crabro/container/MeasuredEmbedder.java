package org.crabro.container;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import org.crabro.ranking.onnx.Embedder;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.Tensor;
import org.crabro.tensor.TensorType;

/** An embedder whose calls are timed, those that fail too. */
final class MeasuredEmbedder implements Embedder {
    private final Embedder model;
    private final Timer latency;

    /**
     * @param id of its component
     * @param registry gets {@code embedder.latency} by {@code embedder}
     */
    MeasuredEmbedder(Embedder model, String id, MeterRegistry registry) {
        this.model = model;
        this.latency = Timer.builder("embedder.latency").tag("embedder", id).register(registry);
    }

    @Override
    public DenseTensor embed(String text, Purpose purpose, TensorType type) {
        return latency.record(() -> model.embed(text, purpose, type));
    }

    @Override
    public MixedTensor embedWithLabels(String text, Purpose purpose, TensorType type) {
        return latency.record(() -> model.embedWithLabels(text, purpose, type));
    }

    @Override
    public List<Tensor> embedAll(List<String> texts, Target target) {
        return latency.record(() -> model.embedAll(texts, target));
    }

    @Override
    public void check(TensorType type) {
        model.check(type);
    }

    @Override
    public void close() {
        model.close();
    }
}
