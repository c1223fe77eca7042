package org.crabro.protocol.grouping;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.crabro.protocol.grouping.GroupingOperation.Kind;
import org.crabro.protocol.grouping.GroupingOperation.Order;
import org.crabro.protocol.grouping.GroupingOperation.Output;
import org.crabro.protocol.grouping.GroupingOperation.Where;

/**
 * Compiles a grouping operation to a plan.
 *
 * <p>An operation applies to hits, to a group of hits, or to a list of groups. The request itself
 * applies to one group. {@code group} descends from a group to a list of groups, {@code each} from
 * a list to each of its groups. An operation in the wrong position is rejected.
 */
public final class GroupingPlanner {
    private final GroupingLimits limits;
    private int lastTag = 1;
    private boolean unbounded;

    private GroupingPlanner(GroupingLimits limits) {
        this.limits = limits;
    }

    /**
     * Returns the plan of an operation.
     *
     * @param pages the pages to return
     * @throws GroupingException if the operation is not valid, or exceeds a limit
     */
    public static GroupingRequest plan(
            GroupingOperation operation, GroupingLimits limits, List<GroupPage> pages) {
        return new GroupingPlanner(limits).request(operation, pages);
    }

    private GroupingRequest request(GroupingOperation operation, List<GroupPage> pages) {
        var root = new GroupDraft();
        OptionalInt documents = OptionalInt.empty();
        Where where = operation.clauses().documents().where();
        operation.children().forEach(GroupingPlanner::refuseWhere);
        GroupingOperation asAll =
                operation.kind() == Kind.ALL
                        ? operation
                        : new GroupingOperation(
                                Kind.ALL,
                                Optional.empty(),
                                GroupingOperation.Clauses.NONE,
                                List.of(operation),
                                "");
        if (asAll.group().isEmpty()
                && asAll.clauses().list().max().isPresent()
                && asAll.children().stream().noneMatch(child -> child.kind() == Kind.EACH)) {
            documents = asAll.clauses().list().max();
        }
        ofGroup(asAll, root, OptionalInt.empty(), true);
        GroupPlan plan = root.plan();
        if (where == Where.EVERYTHING && !plan.hits().isEmpty()) {
            throw wrong("where(true) cannot show hits: '%s'".formatted(operation.text()));
        }
        if (where == Where.EVERYTHING && documents.isPresent()) {
            throw wrong(
                    "where(true) cannot have max(...) of documents: '%s'"
                            .formatted(operation.text()));
        }
        if (limits.globalMaxGroups() >= 0) {
            checkBound(plan, operation);
        }
        return new GroupingRequest(
                where == Where.EVERYTHING,
                documents.orElse(GroupingOperation.UNLIMITED),
                plan,
                pages);
    }

    private void checkBound(GroupPlan plan, GroupingOperation operation) {
        long bound = bound(plan);
        if (unbounded) {
            throw new GroupingException(
                    ("the number of groups and hits is unbounded in '%s'; add max(...), or set"
                                    + " grouping.globalMaxGroups=-1 in the query profile")
                            .formatted(operation.text()),
                    true);
        }
        if (bound > limits.globalMaxGroups()) {
            throw new GroupingException(
                    ("'%s' may show %d groups and hits, which exceeds grouping.globalMaxGroups=%d"
                                    + " of the query profile")
                            .formatted(operation.text(), bound, limits.globalMaxGroups()),
                    true);
        }
    }

    private long bound(GroupPlan plan) {
        long bound = 0;
        for (HitsPlan hits : plan.hits()) {
            unbounded |= hits.max() < 0;
            bound = saturated(bound, hits.max());
        }
        for (ListPlan list : plan.lists()) {
            if (list.listed().isListed()) {
                long most = list.listed().max();
                if (list.by() instanceof GroupExpression.Predefined(_, var buckets)) {
                    most = most < 0 ? buckets.size() + 1 : Math.min(most, buckets.size() + 1);
                }
                unbounded |= most < 0;
                long inner = saturated(bound(list.group()), 1);
                bound =
                        saturated(
                                bound,
                                most > 0 && inner > Long.MAX_VALUE / most
                                        ? Long.MAX_VALUE
                                        : most * inner);
            }
        }
        return bound;
    }

    private static long saturated(long a, long b) {
        return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
    }

    private static void refuseWhere(GroupingOperation operation) {
        if (operation.clauses().documents().where() != Where.UNSAID) {
            throw wrong(
                    "where(...) applies to the whole request, not to '%s'"
                            .formatted(operation.text()));
        }
        operation.children().forEach(GroupingPlanner::refuseWhere);
    }

    /** The plan of a group under construction. */
    private static final class GroupDraft {
        private final Set<GroupExpression> aggregates = new LinkedHashSet<>();
        private final List<Output> outputs = new ArrayList<>();
        private final Map<String, GroupExpression> labels = new HashMap<>();
        private final List<ListPlan> lists = new ArrayList<>();
        private final List<HitsPlan> hits = new ArrayList<>();
        private final Set<String> listLabels = new HashSet<>();
        private final Set<String> hitLabels = new HashSet<>();

        GroupPlan plan() {
            return new GroupPlan(List.copyOf(aggregates), outputs, lists, hits);
        }

        void need(GroupExpression expression) {
            aggregatesOf(expression, aggregates);
        }

        /** Records the label of an output and returns whether it is new. */
        boolean isNew(Output output) {
            GroupExpression before = labels.put(output.label(), output.value());
            if (before != null && !before.equals(output.value())) {
                throw wrong(
                        "two outputs of one group have the label '%s': %s and %s"
                                .formatted(output.label(), before.text(), output.value().text()));
            }
            return before == null;
        }
    }

    /** Plans an operation on one group. */
    private void ofGroup(
            GroupingOperation operation, GroupDraft draft, OptionalInt maxBefore, boolean isRoot) {
        if (operation.group().isPresent()) {
            ofList(operation, draft);
            return;
        }
        operation
                .clauses()
                .documents()
                .filter()
                .ifPresent(_ -> {
                    throw wrong(
                            "filter(...) needs a group(...) in '%s'".formatted(operation.text()));
                });
        if (!operation.clauses().list().order().isEmpty()) {
            throw wrong("cannot order a single group: '%s'".formatted(operation.text()));
        }
        if (!operation.clauses().list().having().isEmpty()) {
            throw wrong("having(...) needs a group(...) in '%s'".formatted(operation.text()));
        }
        if (operation.clauses().list().fill().isPresent()) {
            throw wrong("fill(...) needs a group(...) in '%s'".formatted(operation.text()));
        }
        OptionalInt max =
                operation.clauses().list().max().isPresent()
                        ? operation.clauses().list().max()
                        : maxBefore;
        for (Output output : operation.clauses().outputs()) {
            if (output.value() instanceof GroupExpression.Summary) {
                throw wrong(
                        "summary() applies to a hit, but '%s' applies to a group: write each(output(summary()))"
                                .formatted(operation.text()));
            }
            checkAggregated(output.value(), operation);
            draft.need(output.value());
            if (draft.isNew(output)) {
                lastTag++;
                draft.outputs.add(output);
            }
        }
        for (GroupingOperation child : operation.children()) {
            if (child.kind() == Kind.EACH) {
                ofHit(child, draft, max);
            } else {
                if (!isRoot && operation.clauses().list().max().isPresent() && !listsHits(child)) {
                    throw wrong(
                            "max(...) of documents applies to the whole request, not to '%s'"
                                    .formatted(operation.text()));
                }
                ofGroup(child, draft, max, false);
            }
        }
    }

    private static boolean listsHits(GroupingOperation operation) {
        return operation.group().isEmpty()
                && operation.children().stream()
                        .allMatch(child -> child.kind() == Kind.EACH || listsHits(child));
    }

    /** Plans an operation on each hit of a group. */
    private void ofHit(GroupingOperation operation, GroupDraft draft, OptionalInt max) {
        var clauses = operation.clauses();
        if (operation.group().isPresent()) {
            throw wrong("cannot group a single hit: '%s'".formatted(operation.text()));
        }
        if (clauses.list().max().isPresent()
                || !clauses.list().order().isEmpty()
                || !clauses.list().having().isEmpty()
                || clauses.list().fill().isPresent()
                || clauses.documents().filter().isPresent()) {
            throw wrong(
                    "max, order, having, fill and filter do not apply to a single hit: '%s'"
                            .formatted(operation.text()));
        }
        if (!operation.children().isEmpty()) {
            throw wrong(
                    "a single hit cannot have all(...) or each(...): '%s'"
                            .formatted(operation.text()));
        }
        for (Output output : clauses.outputs()) {
            if (!(output.value() instanceof GroupExpression.Summary(String summary))) {
                throw wrong(
                        "a single hit can only output summary(), not %s"
                                .formatted(output.value().text()));
            }
            String label = operation.label().isEmpty() ? "hits" : operation.label();
            if (!draft.hitLabels.add(label)) {
                throw wrong(
                        "two lists of hits of one group have the label '%s': '%s'"
                                .formatted(label, operation.text()));
            }
            draft.hits.add(
                    new HitsPlan(label, ++lastTag, max.orElse(limits.defaultMaxHits()), summary));
        }
    }

    /** Plans an operation that creates a list of groups within one group. */
    private void ofList(GroupingOperation operation, GroupDraft draft) {
        GroupExpression by = operation.group().orElseThrow();
        checkOfDocument(by, operation);
        operation
                .clauses()
                .documents()
                .filter()
                .ifPresent(filter -> checkOfDocument(filter, operation));
        var shape =
                new ListShape(
                        by,
                        operation.clauses().documents().filter(),
                        OptionalInt.empty(),
                        List.of(),
                        List.of(),
                        Optional.empty());
        int before = draft.lists.size();
        List<Output> totals = listed(operation, draft, shape, List.of(), true);
        if (draft.lists.size() == before) {
            if (isChosen(operation) || isFilled(operation)) {
                throw wrong(
                        "%s needs an each(...) in '%s'"
                                .formatted(
                                        isFilled(operation) ? "fill(...)" : "having(...)",
                                        operation.text()));
            }
            draft.lists.add(
                    new ListPlan(
                            new ListLabel("", ++lastTag),
                            by,
                            shape.filter,
                            new ListedGroups(
                                    false, 0, true, List.of(), List.of(), Optional.empty()),
                            totals,
                            GroupPlan.NOTHING));
        } else if (!totals.isEmpty()) {
            throw new IllegalStateException("a list that nothing is shown of: " + totals);
        }
    }

    private static boolean isChosen(GroupingOperation operation) {
        return !operation.clauses().list().having().isEmpty()
                || operation.children().stream().anyMatch(GroupingPlanner::isChosen);
    }

    private static boolean isFilled(GroupingOperation operation) {
        return operation.clauses().list().fill().isPresent()
                || operation.children().stream().anyMatch(GroupingPlanner::isFilled);
    }

    /** The properties that all lists of one operation share. */
    private record ListShape(
            GroupExpression by,
            Optional<GroupFilter> filter,
            OptionalInt max,
            List<Order> order,
            List<GroupCondition> having,
            Optional<GroupFill> fill) {}

    /**
     * Plans an operation on a list of groups.
     *
     * @param given outputs of outer operations for the list itself that are not assigned to a list
     *     yet
     * @return outputs for the list itself that are not assigned to a list yet
     */
    private List<Output> listed(
            GroupingOperation operation,
            GroupDraft draft,
            ListShape outer,
            List<Output> given,
            boolean isFirst) {
        if (!isFirst && operation.group().isPresent()) {
            throw wrong("cannot group a list of groups: '%s'".formatted(operation.text()));
        }
        var clauses = operation.clauses();
        clauses.list().order().forEach(order -> checkAggregated(order.value(), operation));
        for (GroupCondition condition : clauses.list().having()) {
            condition.values().forEach(value -> checkAggregated(value, operation));
        }
        List<Output> totals = new ArrayList<>(given);
        for (Output output : clauses.outputs()) {
            if (!output.value().equals(GroupExpression.Aggregate.COUNT)) {
                throw wrong(
                        "a list of groups can only output count(), not %s, in '%s'; write"
                                        .formatted(output.value().text(), operation.text())
                                + " outputs of each group in each(...)");
            }
            // The output counts groups, so its label must differ from all labels of the outer
            // group.
            if (draft.labels.putIfAbsent(output.label(), GroupExpression.FieldOf.of("groups"))
                    != null) {
                throw wrong(
                        "two outputs of one group have the label '%s' in '%s'"
                                .formatted(output.label(), operation.text()));
            }
            lastTag++;
            totals.add(output);
        }
        var shape =
                new ListShape(
                        outer.by,
                        outer.filter,
                        clauses.list().max().isPresent() ? clauses.list().max() : outer.max,
                        clauses.list().order().isEmpty() ? outer.order : clauses.list().order(),
                        clauses.list().having().isEmpty() ? outer.having : clauses.list().having(),
                        clauses.list().fill().or(outer::fill));
        for (GroupingOperation child : operation.children()) {
            if (child.kind() == Kind.ALL) {
                totals = listed(child, draft, shape, totals, false);
            } else {
                draft.lists.add(list(child, draft, shape, totals));
                totals = new ArrayList<>();
            }
        }
        return totals;
    }

    private ListPlan list(
            GroupingOperation each, GroupDraft draft, ListShape shape, List<Output> totals) {
        String label = each.label().isEmpty() ? shape.by.text() : each.label();
        if (!draft.listLabels.add(label)) {
            throw wrong(
                    each.label().isEmpty()
                            ? "two lists of one group have no label: add as(...) to '%s'"
                                    .formatted(each.text())
                            : "two lists of one group have the label '%s'".formatted(label));
        }
        checkFill(shape);
        int tag = ++lastTag;
        var group = new GroupDraft();
        shape.order.forEach(order -> group.need(order.value()));
        for (GroupCondition condition : shape.having) {
            condition.values().forEach(group::need);
        }
        ofGroup(each, group, OptionalInt.empty(), false);
        return new ListPlan(
                new ListLabel(label, tag),
                shape.by,
                shape.filter,
                new ListedGroups(
                        true,
                        shape.max.orElse(limits.defaultMaxGroups()),
                        shape.max.isPresent(),
                        shape.order,
                        shape.having,
                        shape.fill),
                totals,
                group.plan());
    }

    private static void checkFill(ListShape shape) {
        if (shape.fill.isEmpty()) {
            return;
        }
        GroupFill fill = shape.fill.get();
        if (!shape.order.isEmpty()) {
            throw wrong(
                    "%s sorts groups by %s: remove order(...)"
                            .formatted(fill.text(), shape.by.text()));
        }
        if (fill.bounds().isPresent() && shape.by instanceof GroupExpression.Predefined) {
            throw wrong(
                    "%s: %s defines the groups: write fill()"
                            .formatted(fill.text(), shape.by.text()));
        }
    }

    /** Collects the aggregates that are used in a value of a group. */
    private static void aggregatesOf(GroupExpression expression, Set<GroupExpression> into) {
        switch (expression) {
            case GroupExpression.Aggregate _, GroupExpression.Quantiles _ -> into.add(expression);
            case GroupExpression.Call(_, var arguments) ->
                    arguments.forEach(argument -> aggregatesOf(argument, into));
            case GroupExpression.Predefined(var value, _) -> aggregatesOf(value, into);
            case GroupExpression.Constant _,
                    GroupExpression.FieldOf _,
                    GroupExpression.Summary _ -> {}
        }
    }

    /** Rejects expressions that are not values of a group. */
    private static void checkAggregated(GroupExpression expression, GroupingOperation operation) {
        switch (expression) {
            case GroupExpression.Aggregate(_, var argument) ->
                    argument.ifPresent(each -> checkOfDocument(each, operation));
            case GroupExpression.Quantiles(_, var argument) -> checkOfDocument(argument, operation);
            case GroupExpression.Call(var function, var arguments) -> {
                if (!GroupMath.isForGroups(function)) {
                    throw wrong(
                            "%s is a value of a document, but '%s' applies to a group: only arithmetic can be applied to aggregates"
                                    .formatted(expression.text(), operation.text()));
                }
                arguments.forEach(argument -> checkAggregated(argument, operation));
            }
            case GroupExpression.Whole _, GroupExpression.Real _ -> {}
            case GroupExpression.Text _,
                    GroupExpression.FieldOf _,
                    GroupExpression.Predefined _,
                    GroupExpression.Summary _ ->
                    throw wrong(
                            "%s is a value of a document, but '%s' applies to a group: use an aggregate, such as max(...)"
                                    .formatted(expression.text(), operation.text()));
        }
    }

    /** Rejects expressions that are not values of a document. */
    private static void checkOfDocument(GroupExpression expression, GroupingOperation operation) {
        switch (expression) {
            case GroupExpression.Aggregate _,
                    GroupExpression.Quantiles _,
                    GroupExpression.Summary _ ->
                    throw wrong(
                            "%s is a value of a group, but '%s' needs a value of each document"
                                    .formatted(expression.text(), operation.text()));
            case GroupExpression.Call(_, var arguments) ->
                    arguments.forEach(argument -> checkOfDocument(argument, operation));
            case GroupExpression.Predefined(var value, _) -> checkOfDocument(value, operation);
            case GroupExpression.Whole _,
                    GroupExpression.Real _,
                    GroupExpression.Text _,
                    GroupExpression.FieldOf _ -> {}
        }
    }

    private static void checkOfDocument(GroupFilter filter, GroupingOperation operation) {
        switch (filter) {
            case GroupFilter.Regex(_, var value) -> checkOfDocument(value, operation);
            case GroupFilter.Range range -> checkOfDocument(range.value(), operation);
            case GroupFilter.IsTrue(var value) -> checkOfDocument(value, operation);
            case GroupFilter.Not(var operand) -> checkOfDocument(operand, operation);
            case GroupFilter.And(var operands) ->
                    operands.forEach(operand -> checkOfDocument(operand, operation));
            case GroupFilter.Or(var operands) ->
                    operands.forEach(operand -> checkOfDocument(operand, operation));
        }
    }

    private static GroupingException wrong(String message) {
        return new GroupingException(message, false);
    }
}
