package org.crabro.container;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.crabro.ranking.onnx.Embedder;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.Tensor;
import org.crabro.tensor.TensorType;

/**
 * A cache of the embeddings of recent query texts, for all embedders of a process. The least
 * recently used are evicted. Texts of documents are not cached. Thread-safe.
 */
final class QueryEmbeddings {
    /** Memory of an entry without its characters and cells. */
    private static final int OVERHEAD_BYTES = 256;

    private final Cache<Key, Tensor> cache;
    private final Counter hits;
    private final Counter misses;

    /**
     * @param model the embedder; an embedder of a later generation is another one
     */
    private record Key(Object model, String text, TensorType type) {}

    /**
     * @param bytes the memory of all entries; 0 caches nothing
     * @param registry gets {@code embedding_cache.hits}, {@code embedding_cache.misses} and {@code
     *     embedding_cache.bytes}
     */
    QueryEmbeddings(long bytes, MeterRegistry registry) {
        this.cache =
                Caffeine.newBuilder()
                        .maximumWeight(bytes)
                        .weigher((Key key, Tensor tensor) -> weight(key, tensor))
                        .executor(Runnable::run)
                        .build();
        this.hits = Counter.builder("embedding_cache.hits").register(registry);
        this.misses = Counter.builder("embedding_cache.misses").register(registry);
        Gauge.builder("embedding_cache.bytes", this, QueryEmbeddings::bytes)
                .strongReference(true)
                .register(registry);
    }

    /**
     * Returns {@code model} with this cache. Closing it closes the model and removes its entries.
     */
    Embedder of(Embedder model) {
        return new Cached(model);
    }

    private double bytes() {
        return cache.policy()
                .eviction()
                .map(eviction -> (double) eviction.weightedSize().orElse(0))
                .orElse(0.0);
    }

    private static int weight(Key key, Tensor tensor) {
        long cells =
                switch (tensor) {
                    case DenseTensor dense -> (long) dense.size() * Double.BYTES;
                    case MixedTensor mixed ->
                            (long) mixed.addresses().size()
                                    * (OVERHEAD_BYTES
                                            + (long) mixed.type().subspaceSize() * Double.BYTES);
                };
        return Math.clamp(
                OVERHEAD_BYTES + (long) Character.BYTES * key.text.length() + cells,
                0,
                Integer.MAX_VALUE);
    }

    private final class Cached implements Embedder {
        private final Embedder model;

        Cached(Embedder model) {
            this.model = model;
        }

        @Override
        public DenseTensor embed(String text, Purpose purpose, TensorType type) {
            return (DenseTensor) one(text, new Target(purpose, type, Target.NO_TIMEOUT));
        }

        @Override
        public MixedTensor embedWithLabels(String text, Purpose purpose, TensorType type) {
            return (MixedTensor) one(text, new Target(purpose, type, Target.NO_TIMEOUT));
        }

        private Tensor one(String text, Target target) {
            return embedAll(List.of(text), target).getFirst();
        }

        @Override
        public List<Tensor> embedAll(List<String> texts, Target target) {
            if (target.purpose() == Purpose.DOCUMENT) {
                return model.embedAll(texts, target);
            }
            Map<String, Tensor> tensors = new HashMap<>();
            var missing = new ArrayList<String>();
            for (String text : texts) {
                Tensor cached = cache.getIfPresent(key(text, target));
                if (cached == null) {
                    missing.add(text);
                } else {
                    tensors.put(text, cached);
                }
            }
            hits.increment(texts.size() - missing.size());
            misses.increment(missing.size());
            if (!missing.isEmpty()) {
                List<Tensor> made = model.embedAll(missing, target);
                for (int i = 0; i < missing.size(); i++) {
                    cache.put(key(missing.get(i), target), made.get(i));
                    tensors.put(missing.get(i), made.get(i));
                }
            }
            return texts.stream().map(text -> tensor(tensors, text)).toList();
        }

        private static Tensor tensor(Map<String, Tensor> tensors, String text) {
            Tensor tensor = tensors.get(text);
            if (tensor == null) {
                throw new IllegalStateException("a text was not embedded");
            }
            return tensor;
        }

        private Key key(String text, Target target) {
            return new Key(model, text, target.type());
        }

        @Override
        public void check(TensorType type) {
            model.check(type);
        }

        @Override
        public void close() {
            cache.asMap().keySet().removeIf(key -> key.model.equals(model));
            model.close();
        }
    }
}
