package org.crabro.protocol.search;

import java.util.Map;

/**
 * The rank settings of a query that have precedence over those of its rank profile.
 *
 * @param properties settings of features by name, such as {@code bm25(title).k1}
 * @param elementGaps by field, the number of words added to the distance between words of
 *     consecutive elements; {@link #NO_NEARNESS} if such words are never near each other
 * @param listsFeatures whether each hit has the features that its profile lists
 * @param features fixed values of rank features by name, such as {@code bm25(title)}; they replace
 *     the computed values for all documents
 */
public record RankOverrides(
        Map<String, String> properties,
        Map<String, Integer> elementGaps,
        boolean listsFeatures,
        Map<String, Double> features) {
    /** Words of different elements are never near each other. */
    public static final int NO_NEARNESS = Integer.MAX_VALUE;

    /** No overrides. */
    public static final RankOverrides NONE = new RankOverrides(Map.of(), Map.of(), false, Map.of());

    public RankOverrides {
        properties = Map.copyOf(properties);
        elementGaps = Map.copyOf(elementGaps);
        features = Map.copyOf(features);
    }

    /** Returns the same overrides with other values of rank features. */
    public RankOverrides withFeatures(Map<String, Double> others) {
        return new RankOverrides(properties, elementGaps, listsFeatures, others);
    }
}
