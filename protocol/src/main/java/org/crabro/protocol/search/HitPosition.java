package org.crabro.protocol.search;

import java.util.List;
import java.util.Optional;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;

/**
 * A place in the order of hits: what a hit there is sorted by, whether it is there still or not.
 *
 * @param relevance the rank score, never not a number
 * @param sortValues by key of the request's sorting, in its order; single values
 */
public record HitPosition(double relevance, List<Optional<FieldValue>> sortValues, DocumentId id) {
    public HitPosition {
        if (Double.isNaN(relevance)) {
            throw new IllegalArgumentException("a relevance that is not a number");
        }
        sortValues = List.copyOf(sortValues);
    }

    /** Returns where a hit is. */
    public static HitPosition of(SearchHit hit) {
        return new HitPosition(hit.relevance(), hit.sortValues(), hit.id());
    }
}
