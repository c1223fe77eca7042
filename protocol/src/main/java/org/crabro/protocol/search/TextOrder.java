package org.crabro.protocol.search;

import java.util.Optional;

/** How strings are compared. */
public sealed interface TextOrder {
    /** As declared in the schema; if the field declares none, in lower case. */
    record Declared() implements TextOrder {}

    /** By their UTF-8 bytes, in lower case. */
    record LowerCase() implements TextOrder {}

    /** By their UTF-8 bytes. */
    record Raw() implements TextOrder {}

    /** By the bytes that base64 texts encode, unsigned: values of type {@code raw}. */
    record EncodedBytes() implements TextOrder {}

    /**
     * In the order of a language, by the Unicode collation algorithm.
     *
     * @param locale a BCP 47 tag; American English by default
     * @param strength primary by default
     */
    record Collated(Optional<String> locale, Optional<Strength> strength) implements TextOrder {}

    /** The differences that count. Each level includes those before. */
    enum Strength {
        /** Differences of letters. */
        PRIMARY,
        /** Differences of accents. */
        SECONDARY,
        /** Differences of case. */
        TERTIARY,
        /** Differences of punctuation. */
        QUATERNARY,
        /** Differences of code points. */
        IDENTICAL
    }
}
