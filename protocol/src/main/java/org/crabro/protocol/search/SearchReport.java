package org.crabro.protocol.search;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The report on a search: its coverage, its cost, and messages for the client.
 *
 * @param warnings problems that leave the rest of the reply correct, such as an unknown sort field
 * @param trace readable lines; empty unless the request asks for a trace
 * @param plans one for each node; empty unless the request asks for an explanation
 * @param words one for each word of the request; empty unless the request asks for them
 */
public record SearchReport(
        Coverage coverage,
        QueryCost cost,
        List<String> warnings,
        List<String> trace,
        List<NodePlan> plans,
        List<WordCount> words) {
    /** The report of a search without documents. */
    public static final SearchReport NONE =
            new SearchReport(new Coverage(0, 0, false), QueryCost.NONE, List.of(), List.of());

    public SearchReport {
        warnings = List.copyOf(warnings);
        trace = List.copyOf(trace);
        plans = List.copyOf(plans);
        words = List.copyOf(words);
    }

    /** A report without words. */
    public SearchReport(
            Coverage coverage,
            QueryCost cost,
            List<String> warnings,
            List<String> trace,
            List<NodePlan> plans) {
        this(coverage, cost, warnings, trace, plans, List.of());
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
                Stream.concat(plans.stream(), other.plans.stream()).toList(),
                plus(words, other.words));
    }

    private static List<WordCount> plus(List<WordCount> some, List<WordCount> others) {
        if (some.isEmpty() || others.isEmpty()) {
            return some.isEmpty() ? others : some;
        }
        if (some.size() != others.size()) {
            throw new IllegalArgumentException(
                    "counts of %d words and of %d".formatted(some.size(), others.size()));
        }
        var sums = new ArrayList<WordCount>();
        for (int i = 0; i < some.size(); i++) {
            sums.add(some.get(i).plus(others.get(i)));
        }
        return sums;
    }

    /** Returns the same report with counts of words. */
    public SearchReport withWords(List<WordCount> counts) {
        return new SearchReport(coverage, cost, warnings, trace, plans, counts);
    }
}
