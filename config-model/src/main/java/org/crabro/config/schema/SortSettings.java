package org.crabro.config.schema;

import java.util.Optional;

/**
 * How a field's strings are sorted if a query does not set it.
 *
 * @param function empty means the rules of a language
 * @param strength the collation strength, in small letters
 * @param locale a BCP 47 tag
 */
public record SortSettings(
        Optional<Function> function, Optional<String> strength, Optional<String> locale) {
    /** No setting is declared. */
    public static final SortSettings NONE =
            new SortSettings(Optional.empty(), Optional.empty(), Optional.empty());

    /** The keys by which strings are compared. */
    public enum Function {
        /** The rules of a language. */
        UCA,
        /** Bytes, in lower case. */
        LOWERCASE,
        /** Bytes. */
        RAW
    }
}
