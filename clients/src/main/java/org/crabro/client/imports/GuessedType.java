package org.crabro.client.imports;

import java.util.List;

/** The type of a field, as far as its values show. */
public sealed interface GuessedType {
    /** Words that are searched. */
    record Text() implements GuessedType {}

    /** One of few short texts, which is compared as a whole and grouped by. */
    record Keyword() implements GuessedType {}

    /** A number with 64 bits. */
    record Whole() implements GuessedType {}

    /** A number with a fraction. */
    record Decimal() implements GuessedType {}

    /** True or false. */
    record Truth() implements GuessedType {}

    /** A date or a time, stored as seconds since 1970. */
    record Time() implements GuessedType {}

    /**
     * A list of numbers that always has the same length.
     *
     * @param size the length
     */
    record Vector(int size) implements GuessedType {}

    /** A list. */
    record Array(GuessedType element) implements GuessedType {}

    /** A value with parts. */
    record Struct(List<GuessedField> fields) implements GuessedType {
        public Struct {
            fields = List.copyOf(fields);
        }
    }

    /** Values of several shapes, stored as JSON texts. */
    record Json() implements GuessedType {}
}
