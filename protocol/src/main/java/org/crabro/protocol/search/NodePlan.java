package org.crabro.protocol.search;

import java.util.List;

/**
 * How a node answered a search: what it read, how its conditions matched, and how long each phase
 * took. A node makes it only for a request that asks for it.
 *
 * @param scope the documents that were searched
 * @param cost of this node alone
 * @param reads what was read, one for each place; places without blocks are omitted
 * @param condition the query, as it was evaluated
 * @param phases in the order in which they ran; phases that did not run are omitted
 */
public record NodePlan(
        PlanScope scope,
        QueryCost cost,
        List<PlanRead> reads,
        PlanCondition condition,
        List<PlanPhase> phases) {
    public NodePlan {
        reads = List.copyOf(reads);
        phases = List.copyOf(phases);
    }
}
