package org.crabro.client.imports;

import java.util.List;

/** The type of a field, as far as its values show. */
public sealed interface GuessedType {
    /** Values that are stored as strings. */
    sealed interface Strings extends GuessedType {}

    /** Words that are searched. */
    record Text() implements Strings {}

    /** One of few short texts, which is compared as a whole and grouped by. */
    record Keyword() implements Strings {}

    /** A number with 64 bits. */
    record Whole() implements GuessedType {}

    /** A number with a fraction. */
    record Decimal() implements GuessedType {}

    /** A number with a fraction, of a column whose numbers have 32 bits. */
    record Single() implements GuessedType {}

    /**
     * A number that the data has with separators of thousands or with a decimal comma.
     *
     * @param sign what is before the fraction
     * @param number whole or decimal
     */
    record Separated(SeparatedNumber.Sign sign, GuessedType number) implements GuessedType {}

    /** True or false. */
    record Truth() implements GuessedType {}

    /**
     * A date or a time, stored as seconds since 1970.
     *
     * @param isDay whether all values are dates without a time of day
     */
    record Time(boolean isDay) implements GuessedType {
        /** Times: at least one value has a time of day. */
        public Time() {
            this(false);
        }
    }

    /** Bytes that are no text. */
    record Raw() implements GuessedType {}

    /**
     * A list of numbers that always has the same length.
     *
     * @param size the length
     * @param cells the type of the numbers
     */
    record Vector(int size, Cells cells) implements GuessedType {}

    /** The type of the numbers of a vector: the smallest that keeps all of them exactly. */
    enum Cells {
        FLOAT,
        DOUBLE
    }

    /** A list. */
    record Array(GuessedType element) implements GuessedType {}

    /** A value with parts, in a list. */
    record Struct(List<GuessedField> fields) implements GuessedType {
        public Struct {
            fields = List.copyOf(fields);
        }
    }

    /** Values of several shapes, stored as JSON texts. */
    record Json() implements Strings {}

    /**
     * The nearest {@code double} of a number. A field before this one has its digits, which no
     * {@code double} has.
     */
    record Nearest() implements GuessedType {}

    /** The text of a value. The field before this one has a part of the value. */
    record Original() implements Strings {}

    /** All members of a record that have no field of their own, as a JSON object. */
    record Others() implements Strings {}
}
