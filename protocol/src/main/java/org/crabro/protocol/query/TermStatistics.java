package org.crabro.protocol.query;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How common a query says that the words of a leaf are.
 *
 * @param significance the weight of a match, from 0 to 1, if the query gives it
 * @param frequency the document frequency of the word, if the query gives it
 */
public record TermStatistics(OptionalDouble significance, Optional<TermHints.Frequency> frequency) {
    /** The query gives neither. */
    public static final TermStatistics NONE =
            new TermStatistics(OptionalDouble.empty(), Optional.empty());
}
