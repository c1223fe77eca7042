package org.crabro.document;

import org.crabro.tensor.TensorType;

/** The type of a field. */
public sealed interface FieldType {
    /** Types without parts. */
    enum Primitive implements FieldType {
        STRING,
        BOOL,
        INT,
        LONG,
        FLOAT,
        DOUBLE
    }

    /** An array; for now of {@link Primitive#STRING} alone. */
    record ArrayOf(FieldType element) implements FieldType {}

    /** A tensor; for now of indexed dimensions alone. */
    record TensorOf(TensorType type) implements FieldType {}

    /** Returns the type as a schema writes it, such as {@code array<string>}. */
    default String text() {
        return switch (this) {
            case Primitive primitive -> primitive.name().toLowerCase(java.util.Locale.ROOT);
            case ArrayOf(var element) -> "array<" + element.text() + ">";
            case TensorOf(var type) -> type.toString();
        };
    }
}
