package org.crabro.config.schema;

import java.util.Optional;

/**
 * How hits are sorted by a field if a query does not set it.
 *
 * @param function empty means the rules of a language
 * @param strength the collation strength, in small letters
 * @param locale a BCP 47 tag
 * @param descends whether a sort key without a sign is descending
 */
public record SortSettings(
        Optional<Function> function,
        Optional<String> strength,
        Optional<String> locale,
        boolean descends) {
    /** No setting is declared. */
    public static final SortSettings NONE =
            new SortSettings(Optional.empty(), Optional.empty(), Optional.empty(), false);

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
