package org.crabro.protocol.search;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;

/**
 * A document of a search result.
 *
 * @param relevance the rank score; never NaN, negative infinity if the score was not finite
 * @param sortValues by key of the request's sorting, in its order
 * @param summary the fields that are set, in the order of the document summary
 * @param matchFeatures by their names in the rank profile, in its order
 * @param features the other features
 */
public record SearchHit(
        DocumentId id,
        double relevance,
        List<Optional<FieldValue>> sortValues,
        Map<String, FieldValue> summary,
        Map<String, QueryInput> matchFeatures,
        OtherFeatures features) {
    public SearchHit {
        sortValues = List.copyOf(sortValues);
        summary = copy(summary);
        matchFeatures = copy(matchFeatures);
    }

    /** Returns the same entries in the same order. */
    static <V> Map<String, V> copy(Map<String, V> entries) {
        // Most hits have no entries in some of their maps, and there are many hits.
        return entries.isEmpty()
                ? Map.of()
                : Collections.unmodifiableMap(new LinkedHashMap<>(entries));
    }

    /** A hit without other features. */
    public SearchHit(
            DocumentId id,
            double relevance,
            List<Optional<FieldValue>> sortValues,
            Map<String, FieldValue> summary,
            Map<String, QueryInput> matchFeatures) {
        this(id, relevance, sortValues, summary, matchFeatures, OtherFeatures.NONE);
    }

    /** Returns the same hit with other features. */
    public SearchHit with(OtherFeatures others) {
        return new SearchHit(id, relevance, sortValues, summary, matchFeatures, others);
    }

    /** Returns the same hit with another score. */
    public SearchHit withRelevance(double other) {
        return new SearchHit(id, other, sortValues, summary, matchFeatures, features);
    }

    /** Returns the same hit with other fields. */
    public SearchHit withSummary(Map<String, FieldValue> others) {
        return new SearchHit(id, relevance, sortValues, others, matchFeatures, features);
    }

    /** Returns the same hit without the named match features. */
    public SearchHit withoutFeatures(Set<String> names) {
        if (names.isEmpty()) {
            return this;
        }
        var others = new LinkedHashMap<>(matchFeatures);
        others.keySet().removeAll(names);
        return new SearchHit(id, relevance, sortValues, summary, others, features);
    }
}
