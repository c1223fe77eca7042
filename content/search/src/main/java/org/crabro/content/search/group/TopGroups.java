package org.crabro.content.search.group;

import java.util.Arrays;
import java.util.List;
import org.crabro.protocol.grouping.AggregateValue;
import org.crabro.protocol.grouping.GroupExpression;
import org.crabro.protocol.grouping.GroupMath;
import org.crabro.protocol.grouping.GroupValue;
import org.crabro.protocol.grouping.GroupingOperation;
import org.crabro.protocol.grouping.ListPlan;

/**
 * Selects the returned groups of a list, in the order of the list: a heap with the last group on
 * top. If groups are ordered by numeric aggregates, no values are created for groups that are not
 * returned.
 */
final class TopGroups {
    private final List<GroupingOperation.Order> order;
    private final List<GroupExpression> aggregates;
    private final GroupNode node;
    private final IdOrder ids;

    /** By index in the order, the column that decides; -1 for other expressions. */
    private final int[] columns;

    private int[] heap = {};

    /** Compares groups by their ids. */
    interface IdOrder {
        int compare(int a, int b);
    }

    TopGroups(ListPlan plan, GroupTable table, GroupNode node, IdOrder ids) {
        this.order = plan.listed().order();
        this.aggregates = plan.group().aggregates();
        this.node = node;
        this.ids = ids;
        this.columns = new int[order.size()];
        for (int i = 0; i < columns.length; i++) {
            int column = aggregates.indexOf(order.get(i).value());
            columns[i] = column >= 0 && node.column(column).hasOrderKeys() ? column : -1;
        }
        for (int i = 0; i < aggregates.size(); i++) {
            node.column(i).reserve(table.size());
        }
    }

    /** Returns the first {@code limit} of the groups in a part of an array, unsorted. */
    int[] best(int[] groups, int from, int to, long limit) {
        if (to - from <= limit) {
            return Arrays.copyOfRange(groups, from, to);
        }
        int size = (int) limit;
        if (size == 0) {
            return new int[0];
        }
        heap = Arrays.copyOfRange(groups, from, from + size);
        for (int i = size / 2 - 1; i >= 0; i--) {
            sink(i);
        }
        for (int i = from + size; i < to; i++) {
            if (compare(groups[i], heap[0]) < 0) {
                heap[0] = groups[i];
                sink(0);
            }
        }
        return heap;
    }

    private void sink(int start) {
        int at = start;
        int moved = heap[at];
        for (int child = 2 * at + 1; child < heap.length; child = 2 * at + 1) {
            if (child + 1 < heap.length && compare(heap[child + 1], heap[child]) > 0) {
                child++;
            }
            if (compare(moved, heap[child]) >= 0) {
                break;
            }
            heap[at] = heap[child];
            at = child;
        }
        heap[at] = moved;
    }

    /** Returns a negative number if {@code a} sorts first. */
    private int compare(int a, int b) {
        for (int i = 0; i < columns.length; i++) {
            int compared =
                    columns[i] >= 0
                            ? Long.compare(
                                    node.column(columns[i]).orderKey(a),
                                    node.column(columns[i]).orderKey(b))
                            : GroupValue.compare(value(i, a), value(i, b));
            if (compared != 0) {
                return order.get(i).descending() ? -compared : compared;
            }
        }
        int byRelevance = Double.compare(node.relevance(b), node.relevance(a));
        return byRelevance != 0 ? byRelevance : ids.compare(a, b);
    }

    private GroupValue value(int place, int group) {
        return GroupMath.value(
                order.get(place).value(),
                aggregate -> {
                    AggregateValue value = node.value(aggregates.indexOf(aggregate), group);
                    return value.result();
                });
    }
}
