package org.crabro.content.search.group;

import org.crabro.document.FieldType.Primitive;

/**
 * The type of the values that a field is read as.
 *
 * @param width bytes of a whole number
 * @param indexed whether the schema has mode index. A missing number is then the smallest whole
 *     number of its type, or NaN, so that it differs from 0. In mode streaming, it is 0.
 * @param missingWhole the whole number that is read for a missing value
 * @param missingReal the floating-point number that is read for a missing value
 */
record ReadType(ValueKind kind, int width, boolean indexed, long missingWhole, double missingReal) {
    /** Returns the type of the values of a field. */
    static ReadType of(Primitive type, boolean indexed) {
        return switch (type) {
            case STRING, URI -> of(ValueKind.TEXT, Evaluator.LONG_WIDTH, indexed, 0);
            case RAW, PREDICATE -> of(ValueKind.RAW, Evaluator.LONG_WIDTH, indexed, 0);
            case BOOL -> of(ValueKind.TRUTH, Byte.BYTES, indexed, 0);
            case BYTE -> of(ValueKind.WHOLE, Byte.BYTES, indexed, Byte.MIN_VALUE);
            case INT -> of(ValueKind.WHOLE, Integer.BYTES, indexed, Integer.MIN_VALUE);
            case LONG -> of(ValueKind.WHOLE, Long.BYTES, indexed, Long.MIN_VALUE);
            case FLOAT16, FLOAT, DOUBLE -> of(ValueKind.REAL, Evaluator.LONG_WIDTH, indexed, 0);
        };
    }

    private static ReadType of(ValueKind kind, int width, boolean indexed, long undefined) {
        boolean isNaN = indexed && kind == ValueKind.REAL;
        return new ReadType(kind, width, indexed, indexed ? undefined : 0, isNaN ? Double.NaN : 0);
    }

    /**
     * Returns whether a missing value differs from 0. Columns store a 0 for it, so only then does
     * the reader have to look at the presence of numbers.
     */
    boolean marksMissing() {
        return missingWhole != 0 || Double.isNaN(missingReal);
    }
}
