package org.crabro.content.search.execution;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.content.search.match.FieldPath;
import org.crabro.content.search.match.RowOrder;
import org.crabro.content.search.parent.Parents;
import org.crabro.content.search.query.QueryRejectedException;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.protocol.search.SortKey;

/**
 * The sort keys of a request, checked against a schema. Immutable.
 *
 * @param keys empty for descending relevance
 * @param warnings about unknown fields, which are ignored
 * @param parents the documents whose fields are imported
 */
record Sorting(List<FieldOrder.Key> keys, List<String> warnings, Parents parents) {
    /**
     * @throws QueryRejectedException if a field's values have no order
     */
    static Sorting of(List<SortKey> sorting, Schema schema, Parents parents) {
        var keys = new ArrayList<FieldOrder.Key>();
        var warnings = new ArrayList<String>();
        boolean bySource = false;
        for (SortKey key : sorting) {
            switch (key) {
                case SortKey.Relevance(boolean ascending) ->
                        keys.add(new FieldOrder.Key.Score(ascending));
                case SortKey.DocumentIds(boolean ascending) ->
                        keys.add(new FieldOrder.Key.Id(ascending));
                // All documents of a node are of one source.
                case SortKey.Sources _ -> bySource = true;
                case SortKey.FieldValueOf value -> {
                    Optional<FieldPath> path = FieldPath.of(value.field(), schema);
                    Optional<SortPath> steps = path.flatMap(SortPath::of);
                    if (steps.isPresent()) {
                        keys.add(key(value, path.orElseThrow().field(), steps.get()));
                    } else {
                        warnings.add(
                                "Cannot sort by '%s': no such field in '%s'."
                                        .formatted(value.field(), schema.name()));
                    }
                }
            }
        }
        if (keys.isEmpty() && bySource) {
            // Hits of one source are equal, and ids decide between equal hits.
            keys.add(new FieldOrder.Key.Id(true));
        }
        return new Sorting(List.copyOf(keys), List.copyOf(warnings), parents);
    }

    private static FieldOrder.Key key(SortKey.FieldValueOf key, SchemaField field, SortPath path) {
        FieldOrder.Kind kind = kind(key, path.single());
        if (key.several() == SortKey.Several.SUM && kind == FieldOrder.Kind.TEXT) {
            throw new QueryRejectedException(
                    "cannot sort by the sum of '%s' of type %s: only numbers have one"
                            .formatted(key.field(), path.type().text()));
        }
        return new FieldOrder.Key.Value(field.field(), path, kind, key, substitute(key, kind));
    }

    /** Returns the substitute for missing values, of the same kind as the values. */
    private static Optional<FieldValue> substitute(SortKey.FieldValueOf key, FieldOrder.Kind kind) {
        if (!(key.missing() instanceof SortKey.Missing.As(String text))) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    switch (kind) {
                        case WHOLE -> new FieldValue.LongValue(Long.parseLong(text.strip()));
                        case REAL -> new FieldValue.DoubleValue(Double.parseDouble(text.strip()));
                        case TEXT -> new FieldValue.StringValue(text);
                    });
        } catch (NumberFormatException e) {
            throw new QueryRejectedException(
                    "cannot sort by '%s' with '%s' for missing values: expected a number"
                            .formatted(key.field(), text));
        }
    }

    /** Returns the sort value of a hit without a value, in the type of the field. */
    Optional<FieldValue> substitute(SortKey.FieldValueOf asked) {
        return keys.stream()
                .filter(FieldOrder.Key.Value.class::isInstance)
                .map(FieldOrder.Key.Value.class::cast)
                .filter(key -> key.key().equals(asked))
                .findFirst()
                .flatMap(key -> key.substitute().map(value -> narrowed(value, key.valueType())));
    }

    private static FieldValue narrowed(FieldValue value, FieldType type) {
        if (!(type instanceof FieldType.Primitive primitive)) {
            return value;
        }
        return switch (value) {
            case FieldValue.LongValue(long whole) ->
                    switch (primitive.stored()) {
                        case BOOL -> new FieldValue.BoolValue(whole != 0);
                        case INT ->
                                new FieldValue.IntValue(
                                        Math.clamp(whole, Integer.MIN_VALUE, Integer.MAX_VALUE));
                        case STRING, LONG, FLOAT, DOUBLE, BYTE, FLOAT16, URI, RAW, PREDICATE ->
                                value;
                    };
            case FieldValue.DoubleValue(double real) ->
                    primitive.stored() == FieldType.Primitive.FLOAT
                            ? new FieldValue.FloatValue((float) real)
                            : value;
            default -> value;
        };
    }

    /** Returns the names of the fields whose values are compared. */
    Set<String> fields() {
        var names = new HashSet<String>();
        for (FieldOrder.Key key : keys) {
            if (key instanceof FieldOrder.Key.Value value) {
                names.add(value.field().name());
            }
        }
        return names;
    }

    /** Returns whether rows must be scored before they can be sorted. */
    boolean needsScores() {
        return keys.isEmpty() || keys.stream().anyMatch(FieldOrder.Key.Score.class::isInstance);
    }

    /**
     * Returns the order, for one thread.
     *
     * @param work counts the work of comparing texts, and may stop it
     */
    RowOrder order(List<BlockSlice> slices, WorkMeter work) {
        return order(slices, slices.size(), work);
    }

    /**
     * Returns the order, for one thread.
     *
     * @param passed the first of the slices whose rows contain only the compared values
     * @param work counts the work of comparing texts, and may stop it
     */
    RowOrder order(List<BlockSlice> slices, int passed, WorkMeter work) {
        return keys.isEmpty()
                ? RowOrder.largestFirst(slices)
                : new FieldOrder(slices, keys, passed, parents, work);
    }

    private static FieldOrder.Kind kind(SortKey.FieldValueOf key, FieldType single) {
        return switch (single) {
            case FieldType.Primitive primitive ->
                    switch (primitive) {
                        case BOOL, BYTE, INT, LONG -> FieldOrder.Kind.WHOLE;
                        case FLOAT16, FLOAT, DOUBLE -> FieldOrder.Kind.REAL;
                        case STRING, URI, RAW, PREDICATE -> FieldOrder.Kind.TEXT;
                    };
            case FieldType.ReferenceOf _ -> FieldOrder.Kind.TEXT;
            case FieldType.ArrayOf _,
                    FieldType.WeightedSetOf _,
                    FieldType.MapOf _,
                    FieldType.StructOf _ ->
                    throw new QueryRejectedException(
                            "cannot sort by '%s' of type %s: it is no single value"
                                    .formatted(key.field(), single.text()));
            case FieldType.TensorOf _ ->
                    throw new QueryRejectedException(
                            "cannot sort by '%s' of type %s: tensors have no order"
                                    .formatted(key.field(), single.text()));
        };
    }
}
