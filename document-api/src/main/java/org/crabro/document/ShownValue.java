package org.crabro.document;

import java.util.List;
import org.crabro.text.Excerpt;

/** Values in messages. A large one is described, because its text would take much memory. */
public final class ShownValue {
    /** Values of at most so many bytes are written. */
    private static final int WRITTEN_BYTES = 2_000;

    private static final int CHARACTERS = 200;

    private ShownValue() {}

    /** Returns the value as text, or what it is. */
    public static String of(FieldValue value) {
        if (HeldSize.of(List.of(value)) <= WRITTEN_BYTES) {
            return Excerpt.of(value.toString(), CHARACTERS);
        }
        return switch (value) {
            case FieldValue.StringValue(String text) -> Excerpt.of(text, CHARACTERS);
            case FieldValue.ArrayValue(var elements) ->
                    "an array of %,d elements".formatted(elements.size());
            case FieldValue.WeightedSetValue(var weights) ->
                    "a weighted set of %,d elements".formatted(weights.size());
            case FieldValue.MapValue(var entries) ->
                    "a map of %,d entries".formatted(entries.size());
            case FieldValue.StructValue(var fields) ->
                    "a struct of %,d fields".formatted(fields.size());
            case FieldValue.TensorValue(var tensor) -> "a tensor of type " + tensor.type();
            case FieldValue.MixedTensorValue(var tensor) -> "a tensor of type " + tensor.type();
            case FieldValue.Scalar _ -> value.toString();
        };
    }
}
