package org.crabro.content.search.match;

import java.util.Optional;
import org.crabro.document.Field;
import org.crabro.document.FieldType.Primitive;

/**
 * A limit of the matches in indexes to those with the best values of an attribute.
 *
 * @param attribute a field with a single number
 * @param ascending whether low numbers are the best
 * @param maxHits about how many matches remain, at least 1
 * @param maxFilterCoverage matches are not limited if a larger share of the documents has such
 *     values, 0 to 1
 * @param diversity how many matches may have the same value of another attribute
 */
public record MatchPhaseLimit(
        Field attribute,
        boolean ascending,
        int maxHits,
        double maxFilterCoverage,
        Optional<MatchDiversity> diversity) {
    /** Returns the type of the attribute. */
    Primitive type() {
        return (Primitive) attribute.type();
    }
}
