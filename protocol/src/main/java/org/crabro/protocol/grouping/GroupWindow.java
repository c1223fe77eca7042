package org.crabro.protocol.grouping;

import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Sorts groups and removes those that are not on the requested pages. */
public final class GroupWindow {
    private final Map<Place, Integer> offsets = new HashMap<>();

    /** Identifies the list of a page. */
    private record Place(List<Integer> path, int tag) {}

    private final ZoneId zone;

    /**
     * @param request with the pages; pages of other requests are ignored
     * @param zone the time zone of time functions
     */
    public GroupWindow(GroupingRequest request, ZoneId zone) {
        this.zone = zone;
        for (GroupPage page : request.pages()) {
            offsets.put(new Place(page.path(), page.tag()), page.offset());
        }
    }

    /** Returns the number of entries of a list that are skipped before the first returned one. */
    public int offset(List<Integer> path, int tag) {
        return offsets.getOrDefault(new Place(path, tag), 0);
    }

    /**
     * Returns the root group with only the returned groups and hits.
     *
     * @param number the index of the request
     */
    public <H> Group<H> shown(Group<H> root, GroupPlan plan, int number) {
        return group(root, plan, List.of(number, 0));
    }

    /** Returns the path of a list of a group, or of a group in a list. */
    public static List<Integer> child(List<Integer> path, int step) {
        List<Integer> child = new ArrayList<>(path);
        child.add(step);
        return child;
    }

    private <H> Group<H> group(Group<H> group, GroupPlan plan, List<Integer> path) {
        List<GroupList<H>> lists = new ArrayList<>();
        int shown = 0;
        for (int i = 0; i < plan.lists().size(); i++) {
            ListPlan list = plan.lists().get(i);
            GroupList<H> all = group.lists().get(i);
            lists.add(
                    list.listed().isListed()
                            ? list(all, list, child(path, shown++))
                            : new GroupList<>(List.of(), 0, all.size()));
        }
        List<GroupHits<H>> hits = new ArrayList<>();
        for (int i = 0; i < plan.hits().size(); i++) {
            hits.add(hits(group.hits().get(i), plan.hits().get(i), child(path, shown++)));
        }
        return new Group<>(group.id(), group.relevance(), group.aggregates(), lists, hits);
    }

    private <H> GroupList<H> list(GroupList<H> list, ListPlan plan, List<Integer> path) {
        int offset = offset(path, plan.label().tag());
        List<Group<H>> all =
                plan.listed()
                        .fill()
                        .map(fill -> FilledList.of(list.groups(), plan, fill, zone))
                        .orElse(list.groups());
        List<Group<H>> chosen = chosen(all, plan);
        List<Group<H>> sorted = sorted(chosen, plan);
        List<Group<H>> shown = new ArrayList<>();
        for (int i = offset; i < sorted.size() && isShown(i - offset, plan.listed().max()); i++) {
            shown.add(group(sorted.get(i), plan.group(), child(path, i)));
        }
        // If content nodes send only the best groups, they still count all of them.
        long size =
                plan.listed().having().isEmpty() && plan.listed().fill().isEmpty()
                        ? list.size()
                        : chosen.size();
        return new GroupList<>(shown, offset, size);
    }

    private static <H> List<Group<H>> chosen(List<Group<H>> groups, ListPlan plan) {
        return plan.listed().having().isEmpty()
                ? groups
                : groups.stream()
                        .filter(group -> {
                            var values = aggregates(group, plan.group());
                            return plan.listed().having().stream()
                                    .allMatch(condition -> condition.holds(values));
                        })
                        .toList();
    }

    private <H> GroupHits<H> hits(GroupHits<H> hits, HitsPlan plan, List<Integer> path) {
        int offset = offset(path, plan.tag());
        List<H> shown = new ArrayList<>();
        for (int i = offset; i < hits.hits().size() && isShown(i - offset, plan.max()); i++) {
            shown.add(hits.hits().get(i));
        }
        return new GroupHits<>(shown, offset, hits.size());
    }

    private static boolean isShown(int index, int max) {
        return max < 0 || index < max;
    }

    /** A group and its sort values. */
    private record Keyed<H>(Group<H> group, List<GroupValue> keys) {}

    private static <H> List<Group<H>> sorted(List<Group<H>> groups, ListPlan plan) {
        if (plan.listed().fill().isPresent()) {
            return groups.stream().sorted((a, b) -> GroupId.compare(a.id(), b.id())).toList();
        }
        Comparator<Keyed<H>> order =
                (a, b) -> {
                    for (int i = 0; i < plan.listed().order().size(); i++) {
                        int compared = GroupValue.compare(a.keys.get(i), b.keys.get(i));
                        if (compared != 0) {
                            return plan.listed().order().get(i).descending() ? -compared : compared;
                        }
                    }
                    int byRelevance = Double.compare(b.group.relevance(), a.group.relevance());
                    return byRelevance != 0
                            ? byRelevance
                            : GroupId.compare(a.group.id(), b.group.id());
                };
        return groups.stream()
                .map(group -> new Keyed<>(group, keys(group, plan)))
                .sorted(order)
                .map(Keyed::group)
                .toList();
    }

    private static <H> List<GroupValue> keys(Group<H> group, ListPlan plan) {
        return plan.listed().order().stream()
                .map(order -> GroupMath.value(order.value(), aggregates(group, plan.group())))
                .toList();
    }

    /** Returns a function from aggregates and quantiles to their values in a group. */
    public static Function<GroupExpression, GroupValue> aggregates(Group<?> group, GroupPlan plan) {
        return expression -> group.aggregates().get(plan.aggregates().indexOf(expression)).result();
    }
}
