package org.crabro.content.search.rank;

import org.crabro.document.FieldType;
import org.crabro.document.FieldType.ArrayOf;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldType.WeightedSetOf;
import org.crabro.ranking.program.StringValue;

/**
 * The values of an element without a value: a struct in an array may lack a member.
 *
 * @param number NaN, the smallest whole number of the type, or the hash of an empty text
 * @param label the same as a label of a tensor
 */
record Undefined(double number, String label) {
    /** Returns the values for elements of a collection, or for a field of one value. */
    static Undefined of(FieldType type) {
        return switch (type) {
            case ArrayOf(var element) -> of(element);
            case WeightedSetOf(var element) -> of(element);
            case Primitive primitive ->
                    switch (primitive) {
                        case BOOL -> new Undefined(0, "0");
                        case BYTE -> whole(Byte.MIN_VALUE);
                        case INT -> whole(Integer.MIN_VALUE);
                        case LONG -> whole(Long.MIN_VALUE);
                        case FLOAT16, FLOAT, DOUBLE ->
                                new Undefined(Double.NaN, Double.toString(Double.NaN));
                        case STRING, URI, RAW, PREDICATE -> text();
                    };
            case FieldType.MapOf _,
                    FieldType.StructOf _,
                    FieldType.ReferenceOf _,
                    FieldType.TensorOf _ ->
                    text();
        };
    }

    private static Undefined whole(long least) {
        return new Undefined(least, Long.toString(least));
    }

    private static Undefined text() {
        return new Undefined(StringValue.of(""), "");
    }
}
