package org.crabro.protocol.search;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;

/**
 * A document that was found.
 *
 * @param relevance the rank score; never NaN, negative infinity where the score was not finite
 * @param sortValues by key of the request's sorting, in its order
 * @param summary fields that are set, in the order of the document summary
 * @param matchFeatures by the name that the rank profile gives them, in its order
 */
public record Hit(
        DocumentId id,
        double relevance,
        List<Optional<FieldValue>> sortValues,
        Map<String, FieldValue> summary,
        Map<String, QueryInput> matchFeatures) {
    public Hit {
        sortValues = List.copyOf(sortValues);
        summary = Collections.unmodifiableMap(new LinkedHashMap<>(summary));
        matchFeatures = Collections.unmodifiableMap(new LinkedHashMap<>(matchFeatures));
    }
}
