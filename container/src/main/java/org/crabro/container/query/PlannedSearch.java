package org.crabro.container.query;

import java.util.List;
import org.crabro.protocol.search.NodePlan;

/**
 * The plan of the search of one document type.
 *
 * @param profile the rank profile
 * @param nodes the plan of each node that answered
 */
public record PlannedSearch(String cluster, String schema, String profile, List<NodePlan> nodes) {
    public PlannedSearch {
        nodes = List.copyOf(nodes);
    }
}
