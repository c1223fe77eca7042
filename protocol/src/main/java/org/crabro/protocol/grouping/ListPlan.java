package org.crabro.protocol.grouping;

import java.util.List;
import java.util.Optional;

/**
 * The plan of a list of groups within a group.
 *
 * @param by the expression by which documents are grouped
 * @param filter which documents are grouped
 * @param totals the values returned for the list itself, in its outer group: expressions over the
 *     number of groups
 * @param group the plan of each group
 */
public record ListPlan(
        ListLabel label,
        GroupExpression by,
        Optional<GroupFilter> filter,
        ListedGroups listed,
        List<GroupingOperation.Output> totals,
        GroupPlan group) {
    public ListPlan {
        totals = List.copyOf(totals);
    }

    boolean needsScores() {
        boolean isOrderedByScore =
                listed.isListed() && listed.order().isEmpty() && listed.fill().isEmpty();
        return isOrderedByScore || GroupPlan.readsScores(by) || group.needsScores();
    }
}
