package org.crabro.container.processing;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.schema.IndexingScript.Step;
import org.crabro.document.FieldValue;
import org.crabro.protocol.wire.Deadline;
import org.crabro.ranking.onnx.Embedder;
import org.crabro.ranking.onnx.Embedder.Purpose;
import org.crabro.ranking.onnx.Embedder.Target;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.Tensor;
import org.crabro.tensor.TensorType;

/**
 * The embeddings of one document's texts. Equal texts are embedded once: a model costs more than
 * everything else together. For one thread.
 */
final class Embeddings {
    private final Map<String, Embedder> embedders;
    private final Optional<Deadline> deadline;
    private final Map<Embedding, Tensor> tensors = new HashMap<>();

    private record Embedding(String embedder, String text, TensorType type) {}

    private record Kind(String embedder, TensorType type) {
        Embedding of(String text) {
            return new Embedding(embedder, text, type);
        }
    }

    /** A text, or an array of texts, that a script embeds. */
    record Wanted(Step.Embed step, FieldValue value) {}

    /**
     * @param deadline of computing; empty for none
     */
    Embeddings(Map<String, Embedder> embedders, Optional<Deadline> deadline) {
        this.embedders = embedders;
        this.deadline = deadline;
    }

    /**
     * Computes several embeddings; those with the same embedder and type in one call.
     *
     * @throws org.crabro.ranking.onnx.EmbeddingRefusedException if they are not available in time
     */
    void compute(List<Wanted> wanted) {
        Map<Kind, Set<String>> texts = new LinkedHashMap<>();
        for (Wanted each : wanted) {
            List<FieldValue> values =
                    each.value instanceof FieldValue.ArrayValue(var elements)
                            ? elements
                            : List.of(each.value);
            var kind = new Kind(each.step.embedder(), each.step.textType());
            for (FieldValue value : values) {
                String text = ValueFunctions.text(value);
                if (!text.isBlank() && !tensors.containsKey(kind.of(text))) {
                    texts.computeIfAbsent(kind, _ -> new LinkedHashSet<>()).add(text);
                }
            }
        }
        texts.forEach((kind, each) -> embed(kind, List.copyOf(each)));
    }

    private void embed(Kind kind, List<String> texts) {
        List<Tensor> embedded =
                embedder(kind.embedder)
                        .embedAll(
                                texts,
                                new Target(
                                        Purpose.DOCUMENT,
                                        kind.type,
                                        deadline.map(Deadline::remaining)
                                                .orElse(Target.NO_TIMEOUT)));
        for (int i = 0; i < texts.size(); i++) {
            tensors.put(kind.of(texts.get(i)), embedded.get(i));
        }
    }

    /** Returns the embedding of a text or of an array of texts; empty for a blank text. */
    Optional<FieldValue> of(Step.Embed step, FieldValue value) {
        compute(List.of(new Wanted(step, value)));
        if (value instanceof FieldValue.ArrayValue(var elements)) {
            return Optional.of(new FieldValue.MixedTensorValue(ofElements(step, elements)));
        }
        String text = ValueFunctions.text(value);
        if (text.isBlank()) {
            return Optional.empty();
        }
        return Optional.of(
                switch (tensor(step, text)) {
                    case DenseTensor vector -> new FieldValue.TensorValue(vector);
                    case MixedTensor labeled -> new FieldValue.MixedTensorValue(labeled);
                });
    }

    /** Embeds each element; its label is its index, those of blank ones being left out. */
    private MixedTensor ofElements(Step.Embed step, List<FieldValue> elements) {
        int outer = outerPlace(step);
        Map<List<String>, double[]> subspaces = new HashMap<>();
        for (int i = 0; i < elements.size(); i++) {
            String text = ValueFunctions.text(elements.get(i));
            String label = Integer.toString(i);
            if (text.isBlank()) {
                continue;
            }
            switch (tensor(step, text)) {
                case DenseTensor vector ->
                        subspaces.put(List.of(label), TensorFunctions.cells(vector));
                case MixedTensor labeled -> {
                    for (int j = 0; j < labeled.addresses().size(); j++) {
                        var address = new ArrayList<>(labeled.addresses().get(j));
                        address.add(outer, label);
                        subspaces.put(address, TensorFunctions.cells(labeled, j));
                    }
                }
            }
        }
        return MixedTensor.of(step.type(), subspaces);
    }

    /** Returns which of the mapped dimensions is for the elements of an array. */
    private static int outerPlace(Step.Embed step) {
        return step.type().dimensions().stream()
                .filter(Dimension.Mapped.class::isInstance)
                .map(Dimension::name)
                .toList()
                .indexOf(step.outer().orElseThrow());
    }

    private Tensor tensor(Step.Embed step, String text) {
        Tensor tensor = tensors.get(new Embedding(step.embedder(), text, step.textType()));
        if (tensor == null) {
            throw new IllegalStateException("a text was not embedded");
        }
        return tensor;
    }

    private Embedder embedder(String id) {
        Embedder embedder = embedders.get(id);
        if (embedder == null) {
            throw new IllegalStateException("embedder " + id + " was not checked");
        }
        return embedder;
    }
}
