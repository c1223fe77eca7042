package org.crabro.document;

import java.util.List;
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

    /** An array. Schemas have only those of {@link Primitive#STRING} for now. */
    record ArrayOf(FieldType element) implements FieldType {}

    /** Distinct elements, each with a weight. No schema has one for now. */
    record WeightedSetOf(FieldType element) implements FieldType {}

    /** Distinct keys, each with a value. No schema has one for now. */
    record MapOf(FieldType key, FieldType value) implements FieldType {}

    /**
     * Named fields. No schema has one for now.
     *
     * @param name as the schema writes it
     * @param fields in schema order, names distinct
     */
    record StructOf(String name, List<Field> fields) implements FieldType {
        public StructOf {
            fields = List.copyOf(fields);
        }
    }

    /** A tensor. Schemas have only those of indexed dimensions for now. */
    record TensorOf(TensorType type) implements FieldType {}

    /** Returns the type as a schema writes it, such as {@code array<string>}. */
    default String text() {
        return switch (this) {
            case Primitive primitive -> primitive.name().toLowerCase(java.util.Locale.ROOT);
            case ArrayOf(var element) -> "array<" + element.text() + ">";
            case WeightedSetOf(var element) -> "weightedset<" + element.text() + ">";
            case MapOf(var key, var value) -> "map<" + key.text() + ", " + value.text() + ">";
            case StructOf struct -> struct.name();
            case TensorOf(var type) -> type.toString();
        };
    }
}
