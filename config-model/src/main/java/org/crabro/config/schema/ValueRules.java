package org.crabro.config.schema;

import java.util.List;
import org.crabro.document.json.WeightRules;
import org.crabro.document.time.TimeParts;
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
 * @param times which of its numbers are times
 */
public record ValueRules(
        DistanceMetric metric,
        WeightRules weights,
        SortSettings sorting,
        boolean fastSearch,
        GraphRules graph,
        TimeParts times) {
    /** Rules with a graph of default size. */
    public ValueRules(
            DistanceMetric metric, WeightRules weights, SortSettings sorting, boolean fastSearch) {
        this(metric, weights, sorting, fastSearch, GraphRules.DEFAULT, TimeParts.NONE);
    }

    /** Returns the rules for a part of the field. */
    ValueRules part(List<String> path) {
        return times.isEmpty()
                ? this
                : new ValueRules(metric, weights, sorting, fastSearch, graph, times.at(path));
    }
}
