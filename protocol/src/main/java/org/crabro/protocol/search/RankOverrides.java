package org.crabro.protocol.search;

import java.util.Map;

/**
 * What a query says of ranking over what its rank profile says.
 *
 * @param properties settings of features by name, such as {@code bm25(title).k1}
 * @param elementGaps by field, how many words further apart the words of an element seem to those
 *     of the element before it; {@link #NO_NEARNESS} where they are never near each other
 * @param listsFeatures whether each hit comes with the features that its profile lists
 * @param features values of rank features by their names, such as {@code bm25(title)}: whatever a
 *     document has, they come to these
 */
public record RankOverrides(
        Map<String, String> properties,
        Map<String, Integer> elementGaps,
        boolean listsFeatures,
        Map<String, Double> features) {
    /** Words of different elements are never near each other. */
    public static final int NO_NEARNESS = Integer.MAX_VALUE;

    /** What the profile says holds. */
    public static final RankOverrides NONE = new RankOverrides(Map.of(), Map.of(), false, Map.of());

    public RankOverrides {
        properties = Map.copyOf(properties);
        elementGaps = Map.copyOf(elementGaps);
        features = Map.copyOf(features);
    }

    /** Returns these with other values of rank features. */
    public RankOverrides withFeatures(Map<String, Double> others) {
        return new RankOverrides(properties, elementGaps, listsFeatures, others);
    }
}
