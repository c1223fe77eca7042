package org.crabro.protocol.search;

import java.util.List;
import java.util.Optional;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;

/**
 * A position in the order of hits: the values by which a hit is sorted. The hit may not exist any
 * more.
 *
 * @param relevance the rank score, never NaN
 * @param sortValues by key of the request's sorting, in its order; single values
 */
public record HitPosition(double relevance, List<Optional<FieldValue>> sortValues, DocumentId id) {
    public HitPosition {
        if (Double.isNaN(relevance)) {
            throw new IllegalArgumentException("a relevance that is not a number");
        }
        sortValues = List.copyOf(sortValues);
    }

    /** Returns the position of a hit. */
    public static HitPosition of(SearchHit hit) {
        return new HitPosition(hit.relevance(), hit.sortValues(), hit.id());
    }
}
