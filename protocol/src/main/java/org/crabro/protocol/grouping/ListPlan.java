package org.crabro.protocol.grouping;

import java.util.List;
import java.util.Optional;

/**
 * How the documents of a group are grouped further.
 *
 * @param label what the list is called
 * @param tag the number of the list among all that the request makes, from 2
 * @param by what documents of a group have in common
 * @param shown whether the groups are listed, and not only counted
 * @param max how many groups are shown, or {@link GroupingOperation#UNLIMITED}
 * @param order empty for the group with the best document first
 * @param totals what is shown of the list in the group that it is of: expressions over the number
 *     of groups
 * @param group what is done with each group
 * @param having which of the groups are shown: those for which all holds, seen by who merges
 *     answers, since only then it is known what groups come to
 * @param fill which groups without documents are shown, by who merges answers
 * @param isMaxSaid whether {@code max} is what was asked for, and not what holds otherwise
 */
public record ListPlan(
        String label,
        int tag,
        GroupExpression by,
        Optional<GroupFilter> filter,
        boolean shown,
        int max,
        List<GroupingOperation.Order> order,
        List<GroupingOperation.Output> totals,
        GroupPlan group,
        List<GroupCondition> having,
        Optional<GroupFill> fill,
        boolean isMaxSaid) {
    public ListPlan {
        order = List.copyOf(order);
        totals = List.copyOf(totals);
        having = List.copyOf(having);
    }

    boolean needsScores() {
        return (shown && order.isEmpty() && fill.isEmpty())
                || GroupPlan.readsScores(by)
                || group.needsScores();
    }
}
