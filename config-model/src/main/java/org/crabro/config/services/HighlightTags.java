package org.crabro.config.services;

import java.util.Optional;

/**
 * The texts that a package sets for highlighting; a query can set others.
 *
 * @param open the text before a match
 * @param close the text after a match
 * @param separator the text in place of omitted parts of a snippet
 */
public record HighlightTags(
        Optional<String> open, Optional<String> close, Optional<String> separator) {
    /** The package sets none. */
    public static final HighlightTags NONE =
            new HighlightTags(Optional.empty(), Optional.empty(), Optional.empty());

    /** Returns these texts, with those of {@code other} where these have none. */
    public HighlightTags over(HighlightTags other) {
        return new HighlightTags(
                open.or(other::open), close.or(other::close), separator.or(other::separator));
    }
}
