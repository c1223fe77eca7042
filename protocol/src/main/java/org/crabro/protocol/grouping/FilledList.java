package org.crabro.protocol.grouping;

import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The groups of a list, and the groups without documents that fill the gaps between them.
 *
 * <p>In mode index, a missing whole number is the smallest of its type. Without bounds, its group
 * is not part of the range that is filled, because the gap after it is too large.
 */
final class FilledList<H> {
    /** The maximum number of groups. Larger lists are rejected. */
    static final int GROUPS_MAX = 100_000;

    private final Map<GroupId, Group<H>> groups = new LinkedHashMap<>();
    private final ListPlan plan;
    private final GroupFill fill;
    private final ZoneId zone;

    private FilledList(ListPlan plan, GroupFill fill, ZoneId zone) {
        this.plan = plan;
        this.fill = fill;
        this.zone = zone;
    }

    /**
     * Returns all groups of a list.
     *
     * @param groups the groups with documents; if there are none, an empty group that serves as a
     *     template may be included
     * @throws GroupingException if there are too many groups
     */
    static <H> List<Group<H>> of(
            List<Group<H>> groups, ListPlan plan, GroupFill fill, ZoneId zone) {
        if (groups.isEmpty()) {
            return groups;
        }
        var list = new FilledList<H>(plan, fill, zone);
        groups.forEach(group -> list.groups.put(group.id(), group));
        list.addMissing(groups.getFirst());
        return new ArrayList<>(list.groups.values());
    }

    private void addMissing(Group<H> example) {
        if (plan.by() instanceof GroupExpression.Predefined(_, var buckets)) {
            buckets.forEach(bucket -> add(bucket.id(), example));
            return;
        }
        List<GroupId> numbers = groups.keySet().stream().filter(FilledList::isNumber).toList();
        if (numbers.isEmpty()) {
            return;
        }
        GroupSteps steps = GroupSteps.of(plan.by(), isReal(numbers.getFirst()), zone);
        GroupId id;
        Predicate<GroupId> isBeforeEnd;
        if (fill.bounds().isPresent()) {
            GroupFill.Bounds bounds = fill.bounds().get();
            id = steps.at(bounds.from());
            isBeforeEnd = each -> GroupValue.compare(start(each).orElseThrow(), bounds.to()) < 0;
        } else {
            List<GroupId> present = present(numbers, steps);
            if (present.isEmpty()) {
                return;
            }
            GroupId last = present.stream().max(GroupId::compare).orElseThrow();
            id = present.stream().min(GroupId::compare).orElseThrow();
            isBeforeEnd = each -> GroupId.compare(each, last) < 0;
        }
        while (isBeforeEnd.test(id)) {
            add(id, example);
            GroupId next = steps.next(id);
            if (GroupId.compare(next, id) <= 0) {
                throw new GroupingException(
                        "%s: the next group by %s after %s is outside of the range or the precision of numbers"
                                .formatted(
                                        fill.text(),
                                        plan.by().text(),
                                        start(id).orElseThrow().text()),
                        true);
            }
            id = next;
        }
    }

    /** Returns the groups without that of missing whole numbers of 32 or 64 bits. */
    private List<GroupId> present(List<GroupId> numbers, GroupSteps steps) {
        GroupId ofInts = steps.at(new GroupValue.Whole(Integer.MIN_VALUE));
        GroupId ofLongs = steps.at(ofMissingLong());
        return numbers.stream().filter(id -> !id.equals(ofInts) && !id.equals(ofLongs)).toList();
    }

    /** Returns the number of the group of a missing long; of times, it is the first year. */
    private GroupValue ofMissingLong() {
        boolean isYear =
                plan.by() instanceof GroupExpression.Call(var function, _)
                        && function == GroupFunction.YEAR;
        if (!isYear) {
            return new GroupValue.Whole(Long.MIN_VALUE);
        }
        long start = new TimeWidth(1, "y").at(Long.MIN_VALUE, zone).start();
        return new GroupValue.Whole(Instant.ofEpochSecond(start).atZone(zone).getYear());
    }

    private void add(GroupId id, Group<H> example) {
        groups.computeIfAbsent(id, each -> empty(each, example));
        if (groups.size() > GROUPS_MAX) {
            throw new GroupingException(
                    "%s makes more than %d groups by %s; give bounds, as in fill(0, 100), or restrict the values by filter(range(...))"
                            .formatted(fill.text(), GROUPS_MAX, plan.by().text()),
                    true);
        }
    }

    private Group<H> empty(GroupId id, Group<H> example) {
        return new Group<>(
                id,
                0,
                example.aggregates().stream().map(AggregateValue::none).toList(),
                plan.group().lists().stream().map(_ -> new GroupList<H>(List.of(), 0, 0)).toList(),
                plan.group().hits().stream().map(_ -> new GroupHits<H>(List.of(), 0, 0)).toList());
    }

    private static Optional<GroupValue> start(GroupId id) {
        return switch (id) {
            case GroupId.Value(var value) -> Optional.of(value);
            case GroupId.Range(_, var from, _) -> from;
            case GroupId.Root(), GroupId.Missing() -> Optional.empty();
        };
    }

    private static boolean isNumber(GroupId id) {
        return start(id).filter(value -> Double.isFinite(value.number())).isPresent();
    }

    private static boolean isReal(GroupId id) {
        return id instanceof GroupId.Range(var kind, _, _) && kind == GroupId.Kind.DOUBLE;
    }
}
