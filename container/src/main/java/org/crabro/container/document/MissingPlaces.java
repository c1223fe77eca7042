package org.crabro.container.document;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.document.DocumentType;
import org.crabro.document.FieldValue;
import org.crabro.document.InvalidDocumentException;
import org.crabro.document.operation.DocumentOperation.Update;
import org.crabro.document.operation.FieldUpdate;
import org.crabro.document.operation.FieldUpdates;
import org.crabro.document.operation.UpdateStep;
import org.jspecify.annotations.Nullable;

/**
 * Finds elements that an update names and a document lacks: elements of arrays, and weights that
 * the update does not create. Such a part of an update changes nothing.
 */
final class MissingPlaces {
    private MissingPlaces() {}

    /** Returns whether parts of {@code update} may name missing elements. */
    static boolean mayBe(Update update) {
        return update.updates().stream()
                .flatMap(each -> each.path().stream())
                .anyMatch(step ->
                        switch (step) {
                            case UpdateStep.Index _ -> true;
                            case UpdateStep.Weight(_, boolean create, _) -> !create;
                            case UpdateStep.Member _, UpdateStep.Key _, UpdateStep.Every _ -> false;
                        });
    }

    /**
     * Returns the first missing element, in the order of the update.
     *
     * @param before the fields of the document
     */
    static Optional<String> first(
            Update update, DocumentType type, Map<String, FieldValue> before) {
        Map<String, FieldValue> fields = before;
        for (FieldUpdate each : update.updates()) {
            if (!isThere(fields.get(each.field()), each.path())) {
                return Optional.of(name(each));
            }
            try {
                fields = FieldUpdates.apply(List.of(each), type, fields);
            } catch (IllegalArgumentException e) {
                throw new InvalidDocumentException(update.id() + ": " + e.getMessage(), e);
            }
        }
        return Optional.empty();
    }

    private static boolean isThere(@Nullable FieldValue whole, List<UpdateStep> path) {
        FieldValue value = whole;
        for (UpdateStep step : path) {
            switch (step) {
                case UpdateStep.Index(int index) -> {
                    if (!(value instanceof FieldValue.ArrayValue(var elements))
                            || index < 0
                            || index >= elements.size()) {
                        return false;
                    }
                    value = elements.get(index);
                }
                case UpdateStep.Weight(FieldValue element, boolean create, _) -> {
                    return create
                            || (value instanceof FieldValue.WeightedSetValue(var weights)
                                    && weights.containsKey(element));
                }
                // A part of every element can be in some elements only.
                case UpdateStep.Every _ -> {
                    return true;
                }
                case UpdateStep.Member(String name) ->
                        value =
                                value instanceof FieldValue.StructValue(var members)
                                        ? members.get(name)
                                        : null;
                case UpdateStep.Key(FieldValue key) ->
                        value =
                                value instanceof FieldValue.MapValue(var entries)
                                        ? entries.get(key)
                                        : null;
            }
        }
        return true;
    }

    private static String name(FieldUpdate update) {
        var name = new StringBuilder(update.field());
        for (UpdateStep step : update.path()) {
            switch (step) {
                case UpdateStep.Index(int index) -> name.append('[').append(index).append(']');
                case UpdateStep.Weight(FieldValue element, _, _) ->
                        name.append('{').append(text(element)).append('}');
                case UpdateStep.Member(String member) -> name.append('.').append(member);
                case UpdateStep.Every(String variable, _) ->
                        name.append("[$").append(variable).append(']');
                case UpdateStep.Key(FieldValue key) ->
                        name.append('{').append(text(key)).append('}');
            }
        }
        return name.toString();
    }

    private static String text(FieldValue key) {
        return switch (key) {
            case FieldValue.StringValue(String text) -> text;
            case FieldValue.IntValue(int number) -> Integer.toString(number);
            case FieldValue.LongValue(long number) -> Long.toString(number);
            default -> key.toString();
        };
    }
}
