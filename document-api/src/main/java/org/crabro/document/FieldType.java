package org.crabro.document;

import java.util.List;
import java.util.Optional;
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
        DOUBLE,
        /** Whole numbers from -128 to 127. */
        BYTE,
        /** 16-bit floating-point numbers. */
        FLOAT16,
        /** Text that is a URI. */
        URI,
        /** Bytes, as text in base64 of the standard alphabet with padding. */
        RAW,
        /** A condition on queries, as text. */
        PREDICATE;

        /** Returns the type in whose format values of this type are stored. */
        public Primitive stored() {
            return switch (this) {
                case STRING, URI, RAW, PREDICATE -> STRING;
                case BOOL -> BOOL;
                case INT, BYTE -> INT;
                case LONG -> LONG;
                case FLOAT, FLOAT16 -> FLOAT;
                case DOUBLE -> DOUBLE;
            };
        }

        /** Returns the nearest value of {@link #FLOAT16}. */
        public static float nearestFloat16(float value) {
            return Float.float16ToFloat(Float.floatToFloat16(value));
        }

        @Override
        public boolean isText() {
            return this == STRING || this == URI;
        }

        /** Returns whether values are numbers; a bool is not. */
        public boolean isNumber() {
            return stored() != STRING && this != BOOL;
        }
    }

    /** Types whose values contain values of other types. */
    sealed interface Composite extends FieldType {}

    /** An array. */
    record ArrayOf(FieldType element) implements Composite {}

    /** Distinct elements, each with a weight. */
    record WeightedSetOf(FieldType element) implements Composite {}

    /** Distinct keys, each with a value. */
    record MapOf(FieldType key, FieldType value) implements Composite {}

    /**
     * A struct with named fields.
     *
     * @param name as in the schema
     * @param fields in schema order, names distinct
     */
    record StructOf(String name, List<Field> fields) implements Composite {
        /** A location on Earth: degrees north and east, to six decimals. */
        public static final StructOf POSITION =
                new StructOf(
                        "position",
                        List.of(
                                new Field("lat", Primitive.DOUBLE, true),
                                new Field("lng", Primitive.DOUBLE, true)));

        public StructOf {
            fields = List.copyOf(fields);
        }

        /** Returns the field with a name. */
        public Optional<Field> field(String name) {
            return fields.stream().filter(field -> field.name().equals(name)).findFirst();
        }
    }

    /**
     * The id of a document of another type, as text; empty for none.
     *
     * @param documentType the name of that type
     */
    record ReferenceOf(String documentType) implements FieldType {}

    /** A tensor. */
    record TensorOf(TensorType type) implements FieldType {}

    /** Returns whether values are texts that can be searched, or arrays of them. */
    default boolean isText() {
        return switch (this) {
            case Primitive primitive -> primitive.isText();
            case ArrayOf(var element) ->
                    element instanceof Primitive primitive && primitive.isText();
            default -> false;
        };
    }

    /** Returns the type in the syntax of schemas, such as {@code array<string>}. */
    default String text() {
        return switch (this) {
            case Primitive primitive -> primitive.name().toLowerCase(java.util.Locale.ROOT);
            case ArrayOf(var element) -> "array<" + element.text() + ">";
            case WeightedSetOf(var element) -> "weightedset<" + element.text() + ">";
            case MapOf(var key, var value) -> "map<" + key.text() + ", " + value.text() + ">";
            case StructOf struct -> struct.name();
            case ReferenceOf(var documentType) -> "reference<" + documentType + ">";
            case TensorOf(var type) -> type.toString();
        };
    }
}
