package org.crabro.config.validation;

import org.crabro.document.FieldType;
import org.crabro.document.FieldType.ArrayOf;
import org.crabro.document.FieldType.MapOf;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldType.ReferenceOf;
import org.crabro.document.FieldType.StructOf;
import org.crabro.document.FieldType.TensorOf;
import org.crabro.document.FieldType.WeightedSetOf;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;

/** Tests which kinds of values a field type contains. */
final class TypeContents {
    private TypeContents() {}

    /** Returns whether values contain {@code raw} as an element. */
    static boolean holdsRaw(FieldType type) {
        return switch (type) {
            case ArrayOf(var element) -> element == Primitive.RAW;
            case WeightedSetOf(var element) -> element == Primitive.RAW;
            default -> false;
        };
    }

    /** Returns whether values have parts with names, other than those of positions. */
    static boolean holdsStructs(FieldType type) {
        return switch (type) {
            case Primitive _, TensorOf _, WeightedSetOf _, ReferenceOf _ -> false;
            case MapOf _ -> true;
            case StructOf struct -> !struct.equals(StructOf.POSITION);
            case ArrayOf(var element) -> holdsStructs(element);
        };
    }

    /** Returns whether values contain texts. */
    static boolean holdsTexts(FieldType type) {
        return switch (type) {
            case Primitive _, ArrayOf _ -> type.isText();
            case WeightedSetOf(var element) -> element.isText();
            case MapOf(var key, var value) -> holdsTexts(key) || holdsTexts(value);
            case StructOf(_, var fields) ->
                    fields.stream().anyMatch(field -> holdsTexts(field.type()));
            case ReferenceOf _, TensorOf _ -> false;
        };
    }

    /** Returns whether queries find documents by values of {@code type}. */
    static boolean isSearched(FieldType type) {
        return switch (type) {
            case Primitive primitive ->
                    primitive.isText()
                            || primitive == Primitive.PREDICATE
                            || primitive.stored() != Primitive.STRING;
            case ArrayOf(var element) -> isSearched(element);
            case WeightedSetOf(var element) -> isSearched(element);
            case MapOf(var key, var value) -> isSearched(key) || isSearched(value);
            case StructOf(_, var fields) ->
                    fields.stream().anyMatch(field -> isSearched(field.type()));
            case TensorOf(var tensor) -> isVector(tensor);
            case ReferenceOf _ -> false;
        };
    }

    /** Returns whether values are vectors, one of a document or several. */
    static boolean isVector(TensorType tensor) {
        return tensor.dimensions().stream().filter(Dimension.Indexed.class::isInstance).count()
                == 1;
    }
}
