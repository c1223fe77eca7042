package org.crabro.content.search.group;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.crabro.content.search.match.RowOrder;
import org.crabro.protocol.grouping.AggregateValue;
import org.crabro.protocol.grouping.Aggregator;
import org.crabro.protocol.grouping.Group;
import org.crabro.protocol.grouping.GroupExpression;
import org.crabro.protocol.grouping.GroupFunction;
import org.crabro.protocol.grouping.GroupHits;
import org.crabro.protocol.grouping.GroupId;
import org.crabro.protocol.grouping.GroupList;
import org.crabro.protocol.grouping.GroupPlan;
import org.crabro.protocol.grouping.HitsPlan;
import org.crabro.protocol.grouping.ListPlan;
import org.jspecify.annotations.Nullable;

/** The state of one thread for all groups of one list, by the groups' numbers. */
final class GroupNode {
    private final List<AggregateColumn> columns = new ArrayList<>();
    private final List<@Nullable Evaluator> arguments = new ArrayList<>();
    private final List<ListNode> lists = new ArrayList<>();
    private final List<HitsNode> hits = new ArrayList<>();
    private final boolean keepsRelevance;
    private double[] relevance = {Double.NEGATIVE_INFINITY};

    /**
     * @param entered the scopes that the rows of groups are in
     * @param keepsRelevance whether the scores of documents are known
     * @param order creates the order of hits
     * @param skipped returns the maximum number of skipped entries of a list, by tag
     */
    GroupNode(
            GroupPlan plan,
            ExpressionCompiler compiler,
            Set<Integer> entered,
            boolean keepsRelevance,
            Supplier<RowOrder> order,
            Skipped skipped) {
        this.keepsRelevance = keepsRelevance;
        for (GroupExpression aggregate : plan.aggregates()) {
            add(aggregate, compiler, entered);
        }
        for (ListPlan list : plan.lists()) {
            lists.add(new ListNode(list, compiler, entered, keepsRelevance, order, skipped));
        }
        for (HitsPlan list : plan.hits()) {
            hits.add(new HitsNode(list, order, skipped.of(list.tag())));
        }
    }

    /** The numbers of list entries that are skipped before the first returned one. */
    interface Skipped {
        /** Returns the maximum number of skipped entries of the list with a tag. */
        int of(int tag);
    }

    private void add(GroupExpression aggregate, ExpressionCompiler compiler, Set<Integer> entered) {
        switch (aggregate) {
            case GroupExpression.Aggregate(var aggregator, var argument) -> {
                Evaluator evaluator =
                        argument.map(each -> compiled(aggregator, each, compiler, entered))
                                .orElse(null);
                arguments.add(evaluator);
                columns.add(
                        evaluator == null
                                ? counts(aggregator)
                                : column(aggregator, evaluator.kind()));
            }
            case GroupExpression.Quantiles(var levels, var argument) -> {
                arguments.add(compiler.number(argument, GroupFunction.TO_DOUBLE, entered));
                columns.add(new Spreads(levels));
            }
            default -> throw new IllegalStateException("no aggregate: " + aggregate.text());
        }
    }

    private static Evaluator compiled(
            Aggregator aggregator,
            GroupExpression argument,
            ExpressionCompiler compiler,
            Set<Integer> entered) {
        return switch (aggregator) {
            case SUM, AVG, STDDEV -> compiler.number(argument, GroupFunction.TO_DOUBLE, entered);
            case XOR -> compiler.number(argument, entered);
            case COUNT, COUNTDOCS, MIN, MAX -> compiler.compile(argument, entered);
        };
    }

    private static AggregateColumn counts(Aggregator aggregator) {
        return aggregator == Aggregator.COUNTDOCS ? new DocumentCounts() : new Counts();
    }

    private static AggregateColumn column(Aggregator aggregator, ValueKind kind) {
        return switch (aggregator) {
            case COUNT, COUNTDOCS -> counts(aggregator);
            case MIN, MAX ->
                    kind.isPooled()
                            ? new LeastTexts(kind, aggregator == Aggregator.MAX)
                            : kind == ValueKind.REAL
                                    ? new RealColumn(aggregator)
                                    : new WholeColumn(aggregator);
            case SUM, AVG ->
                    kind == ValueKind.WHOLE || kind == ValueKind.TRUTH
                            ? new WholeColumn(aggregator)
                            : new RealColumn(aggregator);
            case XOR -> new WholeColumn(aggregator);
            case STDDEV -> new RealColumn(aggregator);
        };
    }

    /**
     * Adds rows to groups.
     *
     * @param groups the group of each row
     * @param groupCount the number of groups
     */
    void add(RowBatch batch, int[] groups, int groupCount) {
        reserve(groupCount);
        for (int i = 0; i < columns.size(); i++) {
            Evaluator argument = arguments.get(i);
            AggregateColumn column = columns.get(i);
            switch (column) {
                case Counts counts -> counts.add(groups, batch.count);
                case DocumentCounts counts -> counts.add(batch, groups);
                case LeastTexts _, RealColumn _, Spreads _, WholeColumn _ -> {
                    if (argument == null) {
                        throw new IllegalStateException("an aggregate without an argument");
                    }
                    column.add(argument.evaluate(batch), groups, batch.count, batch.texts);
                }
            }
        }
        if (keepsRelevance) {
            for (int i = 0; i < batch.count; i++) {
                relevance[groups[i]] = Math.max(relevance[groups[i]], batch.scores[i]);
            }
        }
        for (ListNode list : lists) {
            list.add(batch, groups);
        }
        for (HitsNode list : hits) {
            list.add(batch, groups, groupCount);
        }
    }

    private void reserve(int groupCount) {
        for (AggregateColumn column : columns) {
            column.reserve(groupCount);
        }
        if (keepsRelevance && relevance.length < groupCount) {
            int length = relevance.length;
            relevance = Arrays.copyOf(relevance, Math.max(groupCount, length * 2));
            Arrays.fill(relevance, length, relevance.length, Double.NEGATIVE_INFINITY);
        }
    }

    /**
     * Adds the groups of another node of the same plan.
     *
     * @param into by group of {@code from}, the number of the group in this node
     * @param groupCount the number of groups of this node afterwards
     */
    void merge(GroupNode from, int[] into, int fromCount, int groupCount) {
        reserve(groupCount);
        from.reserve(fromCount);
        for (int i = 0; i < columns.size(); i++) {
            for (int group = 0; group < fromCount; group++) {
                columns.get(i).merge(from.columns.get(i), group, into[group]);
            }
        }
        if (keepsRelevance) {
            for (int group = 0; group < fromCount; group++) {
                relevance[into[group]] = Math.max(relevance[into[group]], from.relevance[group]);
            }
        }
        for (int i = 0; i < lists.size(); i++) {
            lists.get(i).merge(from.lists.get(i), into);
        }
        for (int i = 0; i < hits.size(); i++) {
            hits.get(i).merge(from.hits.get(i), into, fromCount, groupCount);
        }
    }

    /** Returns the best score of a group; 0 if scores are not known. */
    double relevance(int group) {
        return keepsRelevance ? relevance[group] : 0;
    }

    AggregateColumn column(int index) {
        return columns.get(index);
    }

    AggregateValue value(int index, int group) {
        columns.get(index).reserve(group + 1);
        return columns.get(index).value(group);
    }

    /**
     * Returns a group as a value.
     *
     * @param isWhole whether this node has all documents; then groups beyond the limits of lists
     *     are left out
     */
    Group<RowHit> group(GroupId id, int group, boolean isWhole) {
        List<AggregateValue> aggregates = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            aggregates.add(value(i, group));
        }
        List<GroupList<RowHit>> groupLists =
                lists.stream().map(list -> list.list(group, isWhole)).toList();
        List<GroupHits<RowHit>> groupHits = hits.stream().map(list -> list.list(group)).toList();
        return new Group<>(id, relevance(group), aggregates, groupLists, groupHits);
    }

    /**
     * Returns a group without documents and without groups below it.
     *
     * @param group a number that no group has
     */
    Group<RowHit> empty(GroupId id, int group) {
        List<AggregateValue> aggregates = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            aggregates.add(value(i, group));
        }
        return new Group<>(
                id,
                0,
                aggregates,
                lists.stream().map(_ -> new GroupList<RowHit>(List.of(), 0, 0)).toList(),
                hits.stream().map(_ -> new GroupHits<RowHit>(List.of(), 0, 0)).toList());
    }

    /** Returns the approximate size of the values of all groups below, in bytes. */
    long shownBytes() {
        return lists.stream().mapToLong(ListNode::shownBytes).sum();
    }

    long byteSize() {
        long size = 8L * relevance.length;
        for (AggregateColumn column : columns) {
            size += column.byteSize();
        }
        for (ListNode list : lists) {
            size += list.byteSize();
        }
        for (HitsNode list : hits) {
            size += list.byteSize();
        }
        return size;
    }
}
