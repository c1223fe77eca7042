package org.crabro.config.schema;

import java.util.Optional;

/**
 * How a field's strings are put in order where a query does not say it.
 *
 * @param function by the rules of a language where none is given
 * @param strength what tells words of a language apart, in small letters
 * @param locale a BCP 47 tag
 */
public record SortSettings(
        Optional<Function> function, Optional<String> strength, Optional<String> locale) {
    /** Nothing is said. */
    public static final SortSettings NONE =
            new SortSettings(Optional.empty(), Optional.empty(), Optional.empty());

    /** What strings are compared by. */
    public enum Function {
        /** The rules of a language. */
        UCA,
        /** Bytes, in lower case. */
        LOWERCASE,
        /** Bytes. */
        RAW
    }
}
