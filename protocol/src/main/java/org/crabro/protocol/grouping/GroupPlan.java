package org.crabro.protocol.grouping;

import java.util.List;

/**
 * The plan for the documents of one group.
 *
 * @param aggregates the aggregates and quantiles to compute, without duplicates
 * @param outputs the returned values, as expressions over {@code aggregates}
 * @param lists the lists of groups within the group
 * @param hits the lists of hits of the group
 */
public record GroupPlan(
        List<GroupExpression> aggregates,
        List<GroupingOperation.Output> outputs,
        List<ListPlan> lists,
        List<HitsPlan> hits) {
    /** A plan without aggregates and lists. */
    public static final GroupPlan NOTHING =
            new GroupPlan(List.of(), List.of(), List.of(), List.of());

    public GroupPlan {
        aggregates = List.copyOf(aggregates);
        outputs = List.copyOf(outputs);
        lists = List.copyOf(lists);
        hits = List.copyOf(hits);
    }

    boolean needsScores() {
        return !hits.isEmpty()
                || aggregates.stream().anyMatch(GroupPlan::readsScores)
                || lists.stream().anyMatch(ListPlan::needsScores);
    }

    /**
     * Returns whether the returned groups can be selected only when all groups are complete. This
     * is the case for conditions on groups, and if groups without documents are added.
     */
    public boolean chooses() {
        return lists.stream()
                .anyMatch(list ->
                        !list.listed().having().isEmpty()
                                || list.listed().fill().isPresent()
                                || list.group().chooses());
    }

    static boolean readsScores(GroupExpression expression) {
        return switch (expression) {
            case GroupExpression.Call(var function, var arguments) ->
                    function == GroupFunction.RELEVANCE
                            || arguments.stream().anyMatch(GroupPlan::readsScores);
            case GroupExpression.Predefined(var value, _) -> readsScores(value);
            case GroupExpression.Aggregate(_, var argument) ->
                    argument.isPresent() && readsScores(argument.get());
            case GroupExpression.Quantiles(_, var argument) -> readsScores(argument);
            case GroupExpression.Constant _, GroupExpression.FieldOf _, GroupExpression.Summary _ ->
                    false;
        };
    }
}
