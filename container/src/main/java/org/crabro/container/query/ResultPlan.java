package org.crabro.container.query;

import java.util.List;
import java.util.stream.Stream;
import org.crabro.protocol.search.PlanPhase;

/**
 * The plan of a query that is explained.
 *
 * @param phases of the container, in the order in which they ended
 * @param searches of each document type
 */
public record ResultPlan(List<PlanPhase> phases, List<PlannedSearch> searches) {
    /** The plan of a query that has done nothing. */
    public static final ResultPlan EMPTY = new ResultPlan(List.of(), List.of());

    public ResultPlan {
        phases = List.copyOf(phases);
        searches = List.copyOf(searches);
    }

    /** Returns the plan with another phase at its end. */
    public ResultPlan with(PlanPhase phase) {
        return plus(new ResultPlan(List.of(phase), List.of()));
    }

    /** Returns the plan of this, and then {@code later}. */
    public ResultPlan plus(ResultPlan later) {
        return new ResultPlan(
                Stream.concat(phases.stream(), later.phases.stream()).toList(),
                Stream.concat(searches.stream(), later.searches.stream()).toList());
    }
}
