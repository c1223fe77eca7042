package org.crabro.container.processing;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.config.schema.IndexingScript.Statement;
import org.crabro.config.schema.IndexingScript.Step;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.document.Document;
import org.crabro.document.Field;
import org.crabro.document.FieldValue;
import org.crabro.document.InvalidDocumentException;
import org.crabro.ranking.onnx.Embedder;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;

/** The scripts of one schema over one document. For one thread. */
final class IndexingRun {
    private final Schema schema;
    private final Document fed;
    private final Map<String, Embedder> embedders;
    private final Map<String, FieldValue> written;

    /** Equal texts are embedded once: a model costs more than everything else together. */
    private final Map<Embedding, DenseTensor> embeddings = new HashMap<>();

    private record Embedding(String embedder, String text, TensorType type) {}

    IndexingRun(Schema schema, Document fed, Map<String, Embedder> embedders) {
        this.schema = schema;
        this.fed = fed;
        this.embedders = embedders;
        this.written = new HashMap<>(fed.fields());
    }

    /** Returns what was written so far, in the order of the schema. */
    Document result() {
        var fields = new LinkedHashMap<String, FieldValue>();
        for (Field field : schema.documentType().fields()) {
            FieldValue value = written.get(field.name());
            if (value != null) {
                fields.put(field.name(), value);
            }
        }
        return new Document(fed.id(), fields);
    }

    /**
     * Executes a statement of {@code owner}'s script; it begins with the field's own value.
     *
     * @param target the type of what it embeds
     */
    void execute(SchemaField owner, Statement statement, Optional<TensorType> target) {
        try {
            value(statement, fed.value(owner.field().name()), target);
        } catch (UnfitStepException e) {
            throw new InvalidDocumentException(
                    "%s: field '%s': %s".formatted(fed.id(), owner.field().name(), e.getMessage()),
                    e);
        }
    }

    private Optional<FieldValue> value(
            Statement statement, Optional<FieldValue> begin, Optional<TensorType> target) {
        Optional<FieldValue> value = begin;
        for (Step step : statement.steps()) {
            Optional<FieldValue> current = value;
            value =
                    switch (step) {
                        case Step.Input(String field) -> fed.value(field);
                        case Step.Literal(String text) ->
                                Optional.of(new FieldValue.StringValue(text));
                        case Step.Concatenation(var parts) -> joined(parts, current, target);
                        case Step.FirstOf(var alternatives) ->
                                alternatives.stream()
                                        .map(each -> value(each, current, target))
                                        .flatMap(Optional::stream)
                                        .findFirst();
                        case Step.Embed(String id) ->
                                current.flatMap(each -> embedded(id, each, target));
                        case Step.Output(_, String field) -> {
                            current.ifPresent(each -> written.put(field, each));
                            yield current;
                        }
                    };
        }
        return value;
    }

    private Optional<FieldValue> joined(
            List<Statement> parts, Optional<FieldValue> begin, Optional<TensorType> target) {
        var values = new ArrayList<FieldValue>();
        for (Statement part : parts) {
            value(part, begin, target).ifPresent(values::add);
        }
        boolean arrays = values.stream().anyMatch(FieldValue.ArrayValue.class::isInstance);
        if (arrays) {
            return Optional.of(joinedArrays(values));
        }
        if (values.size() < parts.size()) {
            return Optional.empty();
        }
        var text = new StringBuilder();
        values.forEach(value -> text.append(text(value)));
        return Optional.of(new FieldValue.StringValue(text.toString()));
    }

    private static FieldValue joinedArrays(List<FieldValue> values) {
        var elements = new ArrayList<FieldValue>();
        for (FieldValue value : values) {
            if (!(value instanceof FieldValue.ArrayValue(var more))) {
                throw new UnfitStepException("cannot join an array and the text " + text(value));
            }
            elements.addAll(more);
        }
        return new FieldValue.ArrayValue(elements);
    }

    private Optional<FieldValue> embedded(
            String id, FieldValue value, Optional<TensorType> target) {
        if (!(value instanceof FieldValue.StringValue(String text))) {
            throw new UnfitStepException("only strings can be embedded yet");
        }
        if (text.isBlank()) {
            return Optional.empty();
        }
        Embedder embedder = embedders.get(id);
        if (embedder == null || target.isEmpty()) {
            throw new IllegalStateException("embedder " + id + " was not checked");
        }
        DenseTensor tensor =
                embeddings.computeIfAbsent(
                        new Embedding(id, text, target.get()),
                        each -> embedder.embed(text, Embedder.Purpose.DOCUMENT, each.type));
        return Optional.of(new FieldValue.TensorValue(tensor));
    }

    private static String text(FieldValue value) {
        return switch (value) {
            case FieldValue.StringValue(String text) -> text;
            case FieldValue.BoolValue(boolean is) -> Boolean.toString(is);
            case FieldValue.IntValue(int number) -> Integer.toString(number);
            case FieldValue.LongValue(long number) -> Long.toString(number);
            case FieldValue.FloatValue(float number) -> Float.toString(number);
            case FieldValue.DoubleValue(double number) -> Double.toString(number);
            case FieldValue.ArrayValue _ -> throw new UnfitStepException("an array has no text");
            case FieldValue.WeightedSetValue _ ->
                    throw new UnfitStepException("a weighted set has no text");
            case FieldValue.MapValue _ -> throw new UnfitStepException("a map has no text");
            case FieldValue.StructValue _ -> throw new UnfitStepException("a struct has no text");
            case FieldValue.TensorValue _, FieldValue.MixedTensorValue _ ->
                    throw new UnfitStepException("a tensor has no text");
        };
    }

    /** A step met a value that it cannot work with. */
    private static final class UnfitStepException extends RuntimeException {
        private static final long serialVersionUID = 1;

        UnfitStepException(String message) {
            super(message);
        }
    }
}
