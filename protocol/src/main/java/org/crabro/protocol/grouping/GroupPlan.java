package org.crabro.protocol.grouping;

import java.util.List;

/**
 * What is done with the documents of one group.
 *
 * @param aggregates what is made of them: aggregates and quantiles, each once
 * @param outputs what is shown, expressions over {@code aggregates}
 * @param lists what they are grouped by next
 * @param hits lists of themselves
 */
public record GroupPlan(
        List<GroupExpression> aggregates,
        List<GroupingOperation.Output> outputs,
        List<ListPlan> lists,
        List<HitsPlan> hits) {
    /** Nothing is done. */
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
     * Returns whether all groups have to be known to say which are shown: some are left out for
     * what they come to, or those without documents are shown as well.
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
            case GroupExpression.Whole _,
                    GroupExpression.Real _,
                    GroupExpression.Text _,
                    GroupExpression.FieldOf _,
                    GroupExpression.Summary _ ->
                    false;
        };
    }
}
