package org.crabro.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.crabro.ranking.onnx.Embedder;
import org.crabro.ranking.onnx.Embedder.Purpose;
import org.crabro.ranking.onnx.Embedder.Target;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.Test;

class QueryEmbeddingsTest {
    private static final TensorType VECTOR = TensorType.parse("tensor<float>(x[1])");
    private static final TensorType LONGER = TensorType.parse("tensor<float>(x[2])");
    private static final TensorType LABELS = TensorType.parse("tensor<float>(t{},x[1])");

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Counting model = new Counting();

    @Test
    void embedsATextOfQueriesOnce() {
        Embedder cached = new QueryEmbeddings(1 << 20, registry).of(model);

        assertThat(cached.embed("one", Purpose.QUERY, VECTOR))
                .isEqualTo(cached.embed("one", Purpose.QUERY, VECTOR));
        assertThat(cached.embedWithLabels("one", Purpose.QUERY, LABELS))
                .isEqualTo(cached.embedWithLabels("one", Purpose.QUERY, LABELS));
        assertThat(cached.embedAll(List.of("one", "two", "one"), query(VECTOR)))
                .containsExactly(
                        model.vector("one", VECTOR),
                        model.vector("two", VECTOR),
                        model.vector("one", VECTOR));
        cached.embed("one", Purpose.QUERY, LONGER);

        assertThat(model.texts).containsExactly("one", "one", "two", "one");
        assertThat(count("hits")).isEqualTo(4);
        assertThat(count("misses")).isEqualTo(4);
        assertThat(registry.get("embedding_cache.bytes").gauge().value()).isGreaterThan(1_000);
    }

    @Test
    void doesNotCacheTextsOfDocuments() {
        Embedder cached = new QueryEmbeddings(1 << 20, registry).of(model);

        cached.embed("one", Purpose.DOCUMENT, VECTOR);
        cached.embed("one", Purpose.DOCUMENT, VECTOR);

        assertThat(model.texts).containsExactly("one", "one");
        assertThat(count("misses")).isEqualTo(0);
    }

    @Test
    void timesTheCallsOfAModel() {
        Embedder cached =
                new QueryEmbeddings(1 << 20, registry)
                        .of(new MeasuredEmbedder(model, "e", registry));

        cached.embed("one", Purpose.QUERY, VECTOR);
        cached.embed("one", Purpose.QUERY, VECTOR);
        cached.embed("one", Purpose.DOCUMENT, VECTOR);

        assertThat(registry.get("embedder.latency").tag("embedder", "e").timer().count())
                .isEqualTo(2);
    }

    @Test
    void staysBelowItsBound() {
        Embedder cached = new QueryEmbeddings(10_000, registry).of(model);

        for (int i = 0; i < 200; i++) {
            cached.embed("text " + i, Purpose.QUERY, VECTOR);
        }

        assertThat(registry.get("embedding_cache.bytes").gauge().value())
                .isBetween(1_000.0, 10_000.0);
    }

    @Test
    void cachesNothingWithoutMemory() {
        Embedder cached = new QueryEmbeddings(0, registry).of(model);

        cached.embed("one", Purpose.QUERY, VECTOR);
        cached.embed("one", Purpose.QUERY, VECTOR);

        assertThat(model.texts).hasSize(2);
    }

    @Test
    void separatesModelsAndForgetsThoseThatAreClosed() {
        var embeddings = new QueryEmbeddings(1 << 20, registry);
        var other = new Counting();
        Embedder first = embeddings.of(model);
        Embedder second = embeddings.of(other);

        first.embed("one", Purpose.QUERY, VECTOR);
        second.embed("one", Purpose.QUERY, VECTOR);
        first.close();
        second.close();

        assertThat(model.texts).hasSize(1);
        assertThat(other.texts).hasSize(1);
        assertThat(registry.get("embedding_cache.bytes").gauge().value()).isZero();
    }

    private double count(String name) {
        return registry.get("embedding_cache." + name).counter().count();
    }

    private static Target query(TensorType type) {
        return new Target(Purpose.QUERY, type, Duration.ofMinutes(1));
    }

    /** Embeds a text as its length, and records the texts. */
    private static final class Counting implements Embedder {
        final List<String> texts = new ArrayList<>();

        DenseTensor vector(String text, TensorType type) {
            double[] cells = new double[type.cellCount()];
            cells[0] = text.length();
            return DenseTensor.of(type, cells);
        }

        @Override
        public DenseTensor embed(String text, Purpose purpose, TensorType type) {
            texts.add(text);
            return vector(text, type);
        }

        @Override
        public MixedTensor embedWithLabels(String text, Purpose purpose, TensorType type) {
            texts.add(text);
            return MixedTensor.of(type, Map.of(List.of("0"), new double[] {text.length()}));
        }

        @Override
        public void check(TensorType type) {}

        @Override
        public void close() {}
    }
}
