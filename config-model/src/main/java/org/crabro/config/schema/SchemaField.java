package org.crabro.config.schema;

import java.util.Set;
import org.crabro.document.Field;
import org.crabro.ranking.kernel.DistanceMetric;

/**
 * A field and what a schema says of it.
 *
 * @param aspects where its script sends it; none for a field that is only stored
 * @param metric how its vectors are compared; of no meaning for other types
 */
public record SchemaField(
        Field field,
        Set<Aspect> aspects,
        MatchMode match,
        DistanceMetric metric,
        IndexingScript script) {
    public SchemaField {
        aspects = Set.copyOf(aspects);
    }

    /** Returns whether queries may look into the field. */
    public boolean isSearchable() {
        return aspects.contains(Aspect.INDEX) || aspects.contains(Aspect.ATTRIBUTE);
    }
}
