package org.crabro.protocol.search;

import java.util.List;
import java.util.stream.Stream;

/**
 * The report on a search: its coverage, its cost, and messages for the client.
 *
 * @param warnings problems that leave the rest of the reply correct, such as an unknown sort field
 * @param trace readable lines; empty unless the request asks for a trace
 * @param plans one for each node; empty unless the request asks for an explanation
 */
public record SearchReport(
        Coverage coverage,
        QueryCost cost,
        List<String> warnings,
        List<String> trace,
        List<NodePlan> plans) {
    /** The report of a search without documents. */
    public static final SearchReport NONE =
            new SearchReport(new Coverage(0, 0, false), QueryCost.NONE, List.of(), List.of());

    public SearchReport {
        warnings = List.copyOf(warnings);
        trace = List.copyOf(trace);
        plans = List.copyOf(plans);
    }

    /** A report without plans. */
    public SearchReport(
            Coverage coverage, QueryCost cost, List<String> warnings, List<String> trace) {
        this(coverage, cost, warnings, trace, List.of());
    }

    /** Returns the same report with the plan of the node. */
    public SearchReport with(NodePlan plan) {
        return new SearchReport(coverage, cost, warnings, trace, List.of(plan));
    }

    /** Returns the report of two searches together; a warning of both is one. */
    public SearchReport plus(SearchReport other) {
        return new SearchReport(
                coverage.plus(other.coverage),
                cost.plus(other.cost),
                Stream.concat(warnings.stream(), other.warnings.stream()).distinct().toList(),
                Stream.concat(trace.stream(), other.trace.stream()).toList(),
                Stream.concat(plans.stream(), other.plans.stream()).toList());
    }
}
