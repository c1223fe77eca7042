package org.crabro.protocol.search;

import java.util.Optional;

/** How strings are compared. */
public sealed interface TextOrder {
    /** As the schema says of the field; where it says nothing, in lower case. */
    record Declared() implements TextOrder {}

    /** By their UTF-8 bytes, in lower case. */
    record LowerCase() implements TextOrder {}

    /** By their UTF-8 bytes. */
    record Raw() implements TextOrder {}

    /**
     * As people order words of a language, by the Unicode collation algorithm.
     *
     * @param locale a BCP 47 tag; where there is none, American English
     * @param strength where there is none, primary
     */
    record Collated(Optional<String> locale, Optional<Strength> strength) implements TextOrder {}

    /** What tells strings apart. */
    enum Strength {
        /** Letters. */
        PRIMARY,
        /** Accents too. */
        SECONDARY,
        /** Case too. */
        TERTIARY,
        /** Punctuation too. */
        QUATERNARY,
        /** Code points too. */
        IDENTICAL
    }
}
