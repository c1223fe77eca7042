package org.crabro.container.query;

import java.util.List;
import java.util.stream.Stream;
import org.crabro.protocol.search.PlanPhase;

/**
 * The plan of a query that is explained.
 *
 * @param phases of the container, in the order in which they ended
 * @param searches of each document type
 * @param words those for which others were added
 */
public record ResultPlan(
        List<PlanPhase> phases, List<PlannedSearch> searches, List<SpelledWord> words) {
    /** The plan of a query that has done nothing. */
    public static final ResultPlan EMPTY = new ResultPlan(List.of(), List.of());

    public ResultPlan {
        phases = List.copyOf(phases);
        searches = List.copyOf(searches);
        words = List.copyOf(words);
    }

    /** A plan without words. */
    public ResultPlan(List<PlanPhase> phases, List<PlannedSearch> searches) {
        this(phases, searches, List.of());
    }

    /** Returns the plan with words for which others were added. */
    public ResultPlan withWords(List<SpelledWord> more) {
        return plus(new ResultPlan(List.of(), List.of(), more));
    }

    /** Returns the plan with another phase at its end. */
    public ResultPlan with(PlanPhase phase) {
        return plus(new ResultPlan(List.of(phase), List.of()));
    }

    /** Returns the plan of this, and then {@code later}. */
    public ResultPlan plus(ResultPlan later) {
        return new ResultPlan(
                Stream.concat(phases.stream(), later.phases.stream()).toList(),
                Stream.concat(searches.stream(), later.searches.stream()).toList(),
                Stream.concat(words.stream(), later.words.stream()).toList());
    }
}
