package org.crabro.content.search.execution;

import org.crabro.protocol.grouping.Group;
import org.crabro.protocol.grouping.GroupId;
import org.crabro.protocol.grouping.GroupMath;
import org.crabro.protocol.grouping.GroupPlan;
import org.crabro.protocol.grouping.GroupValue;
import org.crabro.protocol.grouping.GroupWindow;
import org.crabro.protocol.grouping.ListPlan;
import org.crabro.protocol.search.SearchHit;

/** Prints groups with the values that a client sees, to compare them. */
public final class GroupText {
    private GroupText() {}

    public static String of(Group<SearchHit> root, GroupPlan plan) {
        var text = new StringBuilder();
        group(root, plan, "", text);
        return text.toString();
    }

    private static void group(
            Group<SearchHit> group, GroupPlan plan, String indent, StringBuilder into) {
        plan.outputs()
                .forEach(output ->
                        into.append(indent)
                                .append(output.label())
                                .append(" = ")
                                .append(
                                        GroupMath.value(
                                                        output.value(),
                                                        GroupWindow.aggregates(group, plan))
                                                .text())
                                .append('\n'));
        for (int i = 0; i < plan.lists().size(); i++) {
            ListPlan list = plan.lists().get(i);
            var groups = group.lists().get(i);
            list.totals()
                    .forEach(output ->
                            into.append(indent)
                                    .append(output.label())
                                    .append(" = ")
                                    .append(groups.size())
                                    .append('\n'));
            if (list.listed().isListed()) {
                into.append(indent)
                        .append(list.label().text())
                        .append(" (")
                        .append(groups.size())
                        .append("):\n");
                for (Group<SearchHit> each : groups.groups()) {
                    into.append(indent).append("  ").append(id(each.id())).append('\n');
                    group(each, list.group(), indent + "    ", into);
                }
            }
        }
        for (int i = 0; i < plan.hits().size(); i++) {
            into.append(indent).append(plan.hits().get(i).label()).append(":\n");
            group.hits()
                    .get(i)
                    .hits()
                    .forEach(hit -> into.append(indent).append("  ").append(hit.id()).append('\n'));
        }
    }

    private static String id(GroupId id) {
        return switch (id) {
            case GroupId.Root() -> "root";
            case GroupId.Missing() -> "none";
            case GroupId.Value(var value) -> value.text();
            case GroupId.Range(_, var from, var to) ->
                    from.map(GroupValue::text).orElse("")
                            + ".."
                            + to.map(GroupValue::text).orElse("");
        };
    }
}
