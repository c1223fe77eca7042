package org.crabro.protocol.grouping;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A list of groups within a group.
 *
 * @param <H> the type of hits
 * @param groups all groups, or those to return
 * @param first the number of skipped groups before them
 * @param size the number of all groups, including omitted ones
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
