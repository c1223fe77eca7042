package org.crabro.protocol.grouping;

import java.util.List;
import java.util.Optional;

/**
 * Which groups of a list are returned, and in which order.
 *
 * @param isListed whether the groups are returned; otherwise they are only counted
 * @param max the maximal number of groups, or {@link GroupingOperation#UNLIMITED}
 * @param isMaxSaid whether the request gives {@code max}; otherwise it is a default
 * @param order empty puts the group with the best document first
 * @param having a group is returned if all conditions hold. They are evaluated when replies are
 *     merged, because only then the values of groups are complete
 * @param fill which groups without documents are added when replies are merged
 */
public record ListedGroups(
        boolean isListed,
        int max,
        boolean isMaxSaid,
        List<GroupingOperation.Order> order,
        List<GroupCondition> having,
        Optional<GroupFill> fill) {
    public ListedGroups {
        order = List.copyOf(order);
        having = List.copyOf(having);
    }
}
