package org.crabro.container.query;

import java.util.List;
import java.util.Optional;

/**
 * How the result of a query is shown, the trace of the query, and its plan.
 *
 * @param traceLevel 0 for no trace
 * @param trace the lines so far
 * @param window the hits that were requested
 * @param problems what is wrong with the request and does not stop it
 * @param plan so far; empty if the query is not explained
 */
public record QueryOutput(
        Presentation presentation,
        int traceLevel,
        List<TraceLine> trace,
        Window window,
        List<ResultError> problems,
        Optional<ResultPlan> plan) {
    /**
     * A window of hits.
     *
     * @param hits the largest number of hits
     * @param offset the number of hits to skip
     */
    public record Window(int hits, int offset) {
        /** The window of a request that sets none. */
        public static final Window DEFAULT = new Window(WindowReader.DEFAULT_HITS, 0);
    }

    public QueryOutput {
        trace = List.copyOf(trace);
        problems = List.copyOf(problems);
    }

    /** The output of a query without problems and without a plan. */
    public QueryOutput(
            Presentation presentation, int traceLevel, List<TraceLine> trace, Window window) {
        this(presentation, traceLevel, trace, window, List.of(), Optional.empty());
    }

    /** Returns the output of a query without trace, with the default window. */
    public static QueryOutput of(Presentation presentation) {
        return new QueryOutput(presentation, 0, List.of(), Window.DEFAULT);
    }

    /** Returns the same output with other lines in its trace. */
    public QueryOutput withTrace(List<TraceLine> lines) {
        return new QueryOutput(presentation, traceLevel, lines, window, problems, plan);
    }

    /** Returns the same output with another plan. */
    public QueryOutput withPlan(Optional<ResultPlan> other) {
        return new QueryOutput(presentation, traceLevel, trace, window, problems, other);
    }
}
