package org.crabro.protocol.search;

import java.util.List;

/**
 * A condition of a query, as a node evaluated it.
 *
 * @param operator such as {@code and}, {@code or}, {@code text}, {@code number}, {@code nearest}
 * @param text readable, such as {@code title contains "blue"}; empty for operators with parts only
 * @param counts over all blocks and threads
 * @param parts nested conditions in the order of evaluation; each tests only rows that the operator
 *     has not decided yet
 */
public record PlanCondition(
        String operator, String text, PlanCounts counts, List<PlanCondition> parts) {
    public PlanCondition {
        parts = List.copyOf(parts);
    }
}
