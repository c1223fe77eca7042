package org.crabro.container.processing;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.config.schema.IndexingScript.Step;
import org.crabro.document.FieldValue;
import org.crabro.ranking.onnx.Embedder;
import org.crabro.ranking.onnx.Embedder.Purpose;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.TensorType;

/**
 * The embeddings of one document's texts. Equal texts are embedded once: a model costs more than
 * everything else together. For one thread.
 */
final class Embeddings {
    private final Map<String, Embedder> embedders;
    private final Map<Embedding, DenseTensor> vectors = new HashMap<>();
    private final Map<Embedding, MixedTensor> labeled = new HashMap<>();

    private record Embedding(String embedder, String text, TensorType type) {}

    Embeddings(Map<String, Embedder> embedders) {
        this.embedders = embedders;
    }

    /** Returns the embedding of a text or of an array of texts; empty for a blank text. */
    Optional<FieldValue> of(Step.Embed step, FieldValue value) {
        if (value instanceof FieldValue.ArrayValue(var elements)) {
            return Optional.of(new FieldValue.MixedTensorValue(ofElements(step, elements)));
        }
        String text = ValueFunctions.text(value);
        if (text.isBlank()) {
            return Optional.empty();
        }
        return Optional.of(
                step.type().isDense()
                        ? new FieldValue.TensorValue(vector(step, text))
                        : new FieldValue.MixedTensorValue(labeled(step, text)));
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
            if (step.textType().isDense()) {
                subspaces.put(List.of(label), TensorFunctions.cells(vector(step, text)));
                continue;
            }
            MixedTensor embedding = labeled(step, text);
            for (int j = 0; j < embedding.addresses().size(); j++) {
                var address = new ArrayList<>(embedding.addresses().get(j));
                address.add(outer, label);
                subspaces.put(address, TensorFunctions.cells(embedding, j));
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

    private DenseTensor vector(Step.Embed step, String text) {
        return vectors.computeIfAbsent(
                new Embedding(step.embedder(), text, step.textType()),
                each -> embedder(step).embed(text, Purpose.DOCUMENT, each.type));
    }

    private MixedTensor labeled(Step.Embed step, String text) {
        return labeled.computeIfAbsent(
                new Embedding(step.embedder(), text, step.textType()),
                each -> embedder(step).embedWithLabels(text, Purpose.DOCUMENT, each.type));
    }

    private Embedder embedder(Step.Embed step) {
        Embedder embedder = embedders.get(step.embedder());
        if (embedder == null) {
            throw new IllegalStateException("embedder " + step.embedder() + " was not checked");
        }
        return embedder;
    }
}
