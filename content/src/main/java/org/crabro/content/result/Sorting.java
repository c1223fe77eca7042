package org.crabro.content.result;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.content.match.QueryRejectedException;
import org.crabro.content.match.RowOrder;
import org.crabro.content.run.BlockSlice;
import org.crabro.document.FieldType;
import org.crabro.protocol.search.SortKey;

/**
 * What a request is sorted by, checked against a schema. Immutable.
 *
 * @param keys none for by relevance, descending
 * @param warnings fields that there are not: the other keys hold
 */
record Sorting(List<FieldOrder.Key> keys, List<String> warnings) {
    /**
     * @throws QueryRejectedException if a field's values have no order
     */
    static Sorting of(List<SortKey> sorting, Schema schema) {
        var keys = new ArrayList<FieldOrder.Key>();
        var warnings = new ArrayList<String>();
        for (SortKey key : sorting) {
            switch (key) {
                case SortKey.Relevance(boolean ascending) ->
                        keys.add(new FieldOrder.Key.Score(ascending));
                case SortKey.FieldValueOf(String name, boolean ascending) -> {
                    Optional<SchemaField> field = schema.field(name);
                    if (field.isPresent()) {
                        keys.add(
                                new FieldOrder.Key.Value(
                                        field.get().field(), kind(field.get()), ascending));
                    } else {
                        warnings.add(
                                "Cannot sort by '%s': no such field in '%s'."
                                        .formatted(name, schema.name()));
                    }
                }
            }
        }
        return new Sorting(List.copyOf(keys), List.copyOf(warnings));
    }

    /** Returns the names of the fields whose values are compared. */
    Set<String> fields() {
        return keys.stream()
                .filter(FieldOrder.Key.Value.class::isInstance)
                .map(key -> ((FieldOrder.Key.Value) key).field().name())
                .collect(Collectors.toSet());
    }

    /** Returns whether rows must be scored before they can be put in order. */
    boolean needsScores() {
        return keys.isEmpty() || keys.stream().anyMatch(FieldOrder.Key.Score.class::isInstance);
    }

    /** Returns the order, for one thread. */
    RowOrder order(List<BlockSlice> slices) {
        return keys.isEmpty() ? RowOrder.largestFirst(slices) : new FieldOrder(slices, keys);
    }

    private static FieldOrder.Kind kind(SchemaField field) {
        return switch (field.field().type()) {
            case FieldType.Primitive primitive ->
                    switch (primitive) {
                        case BOOL, BYTE, INT, LONG -> FieldOrder.Kind.WHOLE;
                        case FLOAT16, FLOAT, DOUBLE -> FieldOrder.Kind.REAL;
                        case STRING, URI, RAW, PREDICATE -> FieldOrder.Kind.TEXT;
                    };
            case FieldType.ReferenceOf _ -> FieldOrder.Kind.TEXT;
            case FieldType.ArrayOf _ ->
                    throw new QueryRejectedException(
                            "sorting by '%s' of type %s: sorting by arrays is not built yet"
                                    .formatted(field.field().name(), field.field().type().text()));
            case FieldType.WeightedSetOf _, FieldType.MapOf _, FieldType.StructOf _ ->
                    throw new QueryRejectedException(
                            "cannot sort by '%s' of type %s: it is no single value"
                                    .formatted(field.field().name(), field.field().type().text()));
            case FieldType.TensorOf _ ->
                    throw new QueryRejectedException(
                            "cannot sort by '%s' of type %s: tensors have no order"
                                    .formatted(field.field().name(), field.field().type().text()));
        };
    }
}
