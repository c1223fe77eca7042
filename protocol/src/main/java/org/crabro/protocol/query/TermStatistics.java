package org.crabro.protocol.query;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The frequency of the words of a leaf, if the query specifies it.
 *
 * @param significance the weight of a match, from 0 to 1, if the query specifies it
 * @param frequency the document frequency of the word, if the query specifies it
 */
public record TermStatistics(OptionalDouble significance, Optional<TermHints.Frequency> frequency) {
    /** The query specifies neither. */
    public static final TermStatistics NONE =
            new TermStatistics(OptionalDouble.empty(), Optional.empty());
}
