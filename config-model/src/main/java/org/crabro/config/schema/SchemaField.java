package org.crabro.config.schema;

import java.util.Set;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.json.WeightRules;
import org.crabro.ranking.kernel.DistanceMetric;
import org.crabro.text.SpecialTokens;

/**
 * A field and its settings in a schema.
 *
 * @param aspects the aspects that its script writes; empty for a field that is only stored
 * @param matching how queries match its texts
 * @param values how its values are compared and updated
 * @param ranking its scoring settings, which a rank profile can override
 */
public record SchemaField(
        Field field,
        Set<Aspect> aspects,
        MatchRules matching,
        IndexingScript script,
        ValueRules values,
        FieldRanking ranking) {
    /** The suffix of the name of a position field in features that use its Z-curve value. */
    public static final String Z_CURVE = "_zcurve";

    public SchemaField {
        aspects = Set.copyOf(aspects);
    }

    /** A field without settings of its parts. */
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
                new MatchRules(match),
                script,
                new ValueRules(metric, weightRules, SortSettings.NONE, false),
                FieldRanking.NONE);
    }

    /** A field without rules for weights. */
    public SchemaField(
            Field field,
            Set<Aspect> aspects,
            MatchMode match,
            DistanceMetric metric,
            IndexingScript script) {
        this(field, aspects, match, metric, script, WeightRules.NONE);
    }

    /** Returns this field with other rules for the words of its texts. */
    SchemaField with(boolean normalized, SpecialTokens special) {
        return new SchemaField(
                field, aspects, matching.with(normalized, special), script, values, ranking);
    }

    /** Returns whether queries may look into the field, or a part of it. */
    public boolean isSearchable() {
        return aspects.contains(Aspect.INDEX)
                || aspects.contains(Aspect.ATTRIBUTE)
                || !matching.parts().isEmpty();
    }

    /**
     * Returns whether queries search words in the field's text or in the texts of its elements.
     * With an index, they also search the keys of a weighted set.
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
}
