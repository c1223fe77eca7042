package org.crabro.config.schema;

import java.util.Set;
import org.crabro.document.Field;
import org.crabro.document.json.WeightRules;
import org.crabro.ranking.kernel.DistanceMetric;

/**
 * A field and what a schema says of it.
 *
 * @param aspects where its script sends it; none for a field that is only stored
 * @param metric how its vectors are compared; of no meaning for other types
 * @param weightRules what becomes of elements of a weighted set when their weights are updated
 */
public record SchemaField(
        Field field,
        Set<Aspect> aspects,
        MatchMode match,
        DistanceMetric metric,
        IndexingScript script,
        WeightRules weightRules) {
    public SchemaField {
        aspects = Set.copyOf(aspects);
    }

    /** A field of which nothing is said about weights. */
    public SchemaField(
            Field field,
            Set<Aspect> aspects,
            MatchMode match,
            DistanceMetric metric,
            IndexingScript script) {
        this(field, aspects, match, metric, script, WeightRules.NONE);
    }

    /** Returns whether queries may look into the field. */
    public boolean isSearchable() {
        return aspects.contains(Aspect.INDEX) || aspects.contains(Aspect.ATTRIBUTE);
    }
}
