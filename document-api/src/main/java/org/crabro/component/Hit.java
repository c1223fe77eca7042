package org.crabro.component;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.crabro.document.FieldValue;

/**
 * A result of a query. Immutable.
 *
 * @param id of the document, or any text for a hit that a searcher creates
 * @param relevance the rank score
 * @param source the content cluster, or a text of the searcher that created the hit
 * @param fields the returned fields, by name, in order
 * @param origin internal data of the server's hits, such as rank features; a searcher passes it on
 *     unchanged
 */
public record Hit(
        String id,
        double relevance,
        String source,
        Map<String, FieldValue> fields,
        Optional<Object> origin) {
    public Hit {
        if (Double.isNaN(relevance)) {
            throw new IllegalArgumentException("the relevance of hit " + id + " is no number");
        }
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    /** Returns a hit that a searcher creates. */
    public static Hit of(
            String id, double relevance, String source, Map<String, FieldValue> fields) {
        return new Hit(id, relevance, source, fields, Optional.empty());
    }

    /** Returns the same hit with another score. The caller also sorts the hits again. */
    public Hit withRelevance(double other) {
        return new Hit(id, other, source, fields, origin);
    }

    /** Returns the same hit with another value of a field. */
    public Hit withField(String name, FieldValue value) {
        var others = new LinkedHashMap<>(fields);
        others.put(name, value);
        return new Hit(id, relevance, source, others, origin);
    }

    /** Returns the same hit without a field. */
    public Hit withoutField(String name) {
        var others = new LinkedHashMap<>(fields);
        others.remove(name);
        return new Hit(id, relevance, source, others, origin);
    }
}
