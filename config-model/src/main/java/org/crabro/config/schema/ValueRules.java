package org.crabro.config.schema;

import org.crabro.document.json.WeightRules;
import org.crabro.ranking.kernel.DistanceMetric;

/**
 * How the values of a field are compared and updated.
 *
 * @param metric how vectors are compared; has no meaning for other types
 * @param weights how updates of weights change the elements of a weighted set
 * @param sorting how hits are sorted by the field
 * @param fastSearch whether an attribute has {@code fast-search}: in mode {@code index}, its values
 *     are indexed
 * @param graph how the graph of a vector field is built
 */
public record ValueRules(
        DistanceMetric metric,
        WeightRules weights,
        SortSettings sorting,
        boolean fastSearch,
        GraphRules graph) {
    /** Rules with a graph of default size. */
    public ValueRules(
            DistanceMetric metric, WeightRules weights, SortSettings sorting, boolean fastSearch) {
        this(metric, weights, sorting, fastSearch, GraphRules.DEFAULT);
    }
}
