package org.crabro.container.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.QueryText;
import org.crabro.protocol.search.PlanPhase;

/** Reads how much a request traces, and writes the first lines of its trace. */
final class TraceReader {
    /** From these levels on, traces contain single conditions, and single slices. */
    private static final int TRACED_CONDITIONS = 2;

    private static final int TRACED_SLICES = 4;

    private static final List<Parameter> PROFILED_MATCHING = List.of(Parameter.TRACE_MATCHING);

    private static final List<Parameter> PROFILED_PHASES =
            List.of(Parameter.TRACE_FIRST_PHASE, Parameter.TRACE_SECOND_PHASE);

    private final Parameters parameters;

    TraceReader(Parameters parameters) {
        this.parameters = parameters;
    }

    /**
     * Returns the level of the trace. A request for a profile of the query, for an explanation, or
     * for a trace of rules raises it.
     */
    int level() {
        int level =
                Math.max(
                        parameters.count(Parameter.TRACE_LEVEL).orElse(0),
                        Math.min(1, parameters.count(Parameter.RULES_TRACE).orElse(0)));
        int explained = parameters.count(Parameter.TRACE_EXPLAIN_LEVEL).orElse(0);
        if (parameters.truth(Parameter.TRACE_PROFILE, false) || isProfiled(PROFILED_PHASES)) {
            return Math.max(level, TRACED_SLICES);
        }
        return explained > 0 || isProfiled(PROFILED_MATCHING)
                ? Math.max(level, TRACED_CONDITIONS)
                : level;
    }

    /**
     * Returns the plan with the time since the request arrived; empty if the request does not ask
     * for an explanation.
     */
    Optional<ResultPlan> plan(long arrivalNanos) {
        return parameters.truth(Parameter.TRACE_EXPLAIN, false)
                ? Optional.of(
                        ResultPlan.EMPTY.with(
                                new PlanPhase("parse", System.nanoTime() - arrivalNanos)))
                : Optional.empty();
    }

    private boolean isProfiled(List<Parameter> depths) {
        for (Parameter each : depths) {
            if (parameters.count(each).orElse(0) > 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the lines that describe how the request was read.
     *
     * @param queryProfile the id of the query profile, if the request uses one
     * @param written the statement as the request contains it
     * @param groupings lines about the groupings
     */
    List<TraceLine> lines(
            Optional<String> queryProfile, String written, QueryNode tree, List<String> groupings) {
        var lines = new ArrayList<TraceLine>();
        lines.add(
                TraceLine.now(
                        queryProfile
                                .map(name -> "Using query profile '" + name + "'")
                                .orElse("No query profile is used")));
        if (parameters.truth(Parameter.TRACE_QUERY, true)) {
            lines.add(TraceLine.now("Query as written: " + written));
            lines.add(TraceLine.now("Query as parsed: " + QueryText.of(tree)));
            groupings.forEach(line -> lines.add(TraceLine.now(line)));
        }
        return lines;
    }
}
