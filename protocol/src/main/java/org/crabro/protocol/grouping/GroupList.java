package org.crabro.protocol.grouping;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Groups of the documents of a group.
 *
 * @param <H> what hits are
 * @param groups all there are, or those shown
 * @param first how many are left out before them
 * @param size how many there are, left out ones included
 */
public record GroupList<H>(List<Group<H>> groups, int first, long size) {
    public GroupList {
        groups = List.copyOf(groups);
    }

    GroupList<H> plus(GroupList<H> that, GroupPlan plan, Comparator<H> order) {
        Map<GroupId, Group<H>> all = new LinkedHashMap<>();
        groups.forEach(group -> all.put(group.id(), group));
        that.groups.forEach(
                group -> all.merge(group.id(), group, (a, b) -> a.plus(b, plan, order)));
        return new GroupList<>(new ArrayList<>(all.values()), 0, all.size());
    }

    <R> GroupList<R> map(Function<H, Optional<R>> hit) {
        return new GroupList<>(groups.stream().map(group -> group.map(hit)).toList(), first, size);
    }
}
