package org.crabro.container.query;

import java.util.List;

/**
 * How the result of a query is shown, and the trace of the query.
 *
 * @param traceLevel 0 for no trace
 * @param trace the lines so far
 */
public record QueryOutput(Presentation presentation, int traceLevel, List<TraceLine> trace) {
    public QueryOutput {
        trace = List.copyOf(trace);
    }

    /** Returns the output of a query without trace. */
    public static QueryOutput of(Presentation presentation) {
        return new QueryOutput(presentation, 0, List.of());
    }

    /** Returns the same output with other lines in its trace. */
    public QueryOutput withTrace(List<TraceLine> lines) {
        return new QueryOutput(presentation, traceLevel, lines);
    }
}
