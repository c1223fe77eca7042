package org.crabro.config.schema;

import java.util.Map;
import java.util.Set;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.json.WeightRules;
import org.crabro.ranking.kernel.DistanceMetric;

/**
 * A field and what a schema says of it.
 *
 * @param aspects where its script sends it; none for a field that is only stored
 * @param metric how its vectors are compared; of no meaning for other types
 * @param weightRules what becomes of elements of a weighted set when their weights are updated
 * @param parts how texts in parts of the field are matched, by path, where that is said: those
 *     parts are searched
 * @param sorting how its strings are put in order
 * @param ranking how it counts in scores where a rank profile does not say
 */
public record SchemaField(
        Field field,
        Set<Aspect> aspects,
        MatchMode match,
        DistanceMetric metric,
        IndexingScript script,
        WeightRules weightRules,
        Map<String, MatchMode> parts,
        SortSettings sorting,
        FieldRanking ranking) {
    /** What stands behind the name of a position where features ask for its one number. */
    public static final String Z_CURVE = "_zcurve";

    public SchemaField {
        aspects = Set.copyOf(aspects);
        parts = Map.copyOf(parts);
    }

    /** A field of whose parts nothing is said. */
    public SchemaField(
            Field field,
            Set<Aspect> aspects,
            MatchMode match,
            DistanceMetric metric,
            IndexingScript script,
            WeightRules weightRules) {
        this(
                field,
                aspects,
                match,
                metric,
                script,
                weightRules,
                Map.of(),
                SortSettings.NONE,
                FieldRanking.NONE);
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

    /** Returns whether queries may look into the field, or a part of it. */
    public boolean isSearchable() {
        return aspects.contains(Aspect.INDEX)
                || aspects.contains(Aspect.ATTRIBUTE)
                || !parts.isEmpty();
    }

    /**
     * Returns whether words are sought in the field's text, or in those of its elements: where they
     * have an index, in the keys of a weighted set as well.
     */
    public boolean isText() {
        return field.type().isText()
                || (field.type() instanceof FieldType.WeightedSetOf(var key)
                        && key.isText()
                        && aspects.contains(Aspect.INDEX));
    }

    /** Returns whether its words have places: it is a text with an index. */
    public boolean isIndexedText() {
        return isText() && aspects.contains(Aspect.INDEX);
    }

    /** Returns how texts in a part of the field are matched, by its path. */
    public MatchMode match(String path) {
        return parts.getOrDefault(path, match);
    }
}
