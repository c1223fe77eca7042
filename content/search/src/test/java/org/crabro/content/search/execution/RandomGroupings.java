package org.crabro.content.search.execution;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import org.crabro.protocol.grouping.Aggregator;
import org.crabro.protocol.grouping.GroupBucket;
import org.crabro.protocol.grouping.GroupCondition;
import org.crabro.protocol.grouping.GroupExpression;
import org.crabro.protocol.grouping.GroupExpression.Aggregate;
import org.crabro.protocol.grouping.GroupExpression.Call;
import org.crabro.protocol.grouping.GroupExpression.FieldOf;
import org.crabro.protocol.grouping.GroupFill;
import org.crabro.protocol.grouping.GroupFilter;
import org.crabro.protocol.grouping.GroupFunction;
import org.crabro.protocol.grouping.GroupPlan;
import org.crabro.protocol.grouping.GroupValue;
import org.crabro.protocol.grouping.GroupingOperation.Order;
import org.crabro.protocol.grouping.GroupingOperation.Output;
import org.crabro.protocol.grouping.HitsPlan;
import org.crabro.protocol.grouping.ListLabel;
import org.crabro.protocol.grouping.ListPlan;
import org.crabro.protocol.grouping.ListedGroups;
import org.jspecify.annotations.Nullable;

/** Creates random groupings of mails, of all shapes. */
public final class RandomGroupings {
    private static final List<GroupFunction> TIMES =
            List.of(
                    GroupFunction.YEAR,
                    GroupFunction.MONTH_OF_YEAR,
                    GroupFunction.DAY_OF_MONTH,
                    GroupFunction.DAY_OF_YEAR,
                    GroupFunction.DAY_OF_WEEK,
                    GroupFunction.ISO_DAY_OF_WEEK,
                    GroupFunction.HOUR_OF_DAY,
                    GroupFunction.MINUTE_OF_HOUR,
                    GroupFunction.SECOND_OF_MINUTE);

    private static final List<GroupFunction> ARITHMETIC =
            List.of(
                    GroupFunction.ADD,
                    GroupFunction.SUB,
                    GroupFunction.MUL,
                    GroupFunction.DIV,
                    GroupFunction.MOD,
                    GroupFunction.MIN,
                    GroupFunction.MAX,
                    GroupFunction.XOR);

    private final Random random;
    private int tag = 1;

    public RandomGroupings(Random random) {
        this.random = random;
    }

    /** Returns the plan of a group, with at most {@code depth} nested lists. */
    public GroupPlan plan(int depth) {
        return plan(depth, List.of());
    }

    /**
     * @param needed the expressions that the outer plan uses: the group aggregates them
     */
    private GroupPlan plan(int depth, List<GroupExpression> needed) {
        var outputs = new ArrayList<Output>();
        for (int i = random.nextInt(3); i > 0; i--) {
            GroupExpression value = groupValue();
            outputs.add(new Output(value, value.text()));
        }
        Set<GroupExpression> aggregates = new LinkedHashSet<>();
        outputs.forEach(output -> collect(output.value(), aggregates));
        needed.forEach(value -> collect(value, aggregates));
        var lists = new ArrayList<ListPlan>();
        for (int i = depth == 0 ? 0 : 1 + random.nextInt(2); i > 0; i--) {
            lists.add(list(depth, "list" + i));
        }
        var hits = new ArrayList<HitsPlan>();
        if (random.nextInt(4) == 0) {
            hits.add(new HitsPlan("hits", ++tag, 1 + random.nextInt(4), ""));
        }
        return new GroupPlan(List.copyOf(aggregates), outputs, lists, hits);
    }

    private ListPlan list(int depth, String label) {
        var orders = new ArrayList<Order>();
        for (int i = random.nextInt(3); i > 0; i--) {
            orders.add(new Order(groupValue(), random.nextBoolean()));
        }
        orders.removeIf(order -> order.value() instanceof GroupExpression.Quantiles);
        boolean shown = random.nextInt(6) > 0;
        boolean filled = shown && random.nextInt(5) == 0;
        if (filled) {
            orders.clear();
        }
        GroupExpression key = filled ? steps() : key();
        List<GroupCondition> having =
                shown && random.nextInt(4) == 0 ? List.of(condition(2)) : List.of();
        var needed = new ArrayList<>(orders.stream().map(Order::value).toList());
        having.forEach(condition -> condition.values().forEach(needed::add));
        List<Output> totals =
                !shown || random.nextInt(4) == 0
                        ? List.of(new Output(Aggregate.COUNT, "groups of " + label))
                        : List.of();
        return new ListPlan(
                new ListLabel(label, ++tag),
                key,
                random.nextInt(4) == 0 ? Optional.of(filter(2)) : Optional.empty(),
                new ListedGroups(
                        shown,
                        random.nextInt(3) == 0 ? -1 : 1 + random.nextInt(6),
                        true,
                        shown ? orders : List.of(),
                        having,
                        filled ? Optional.of(fill(key)) : Optional.empty()),
                totals,
                shown ? plan(depth - 1, needed) : GroupPlan.NOTHING);
    }

    /** Returns an expression for which groups without documents can be added. */
    private GroupExpression steps() {
        return oneOf(
                () -> FieldOf.of("size"),
                () -> Call.of(oneOf(TIMES), FieldOf.of("sent")),
                () ->
                        Call.of(
                                GroupFunction.TIME_BUCKET,
                                FieldOf.of("sent"),
                                new GroupExpression.Text(oneOf("3d", "1w", "2w", "1mo", "1y"))),
                () ->
                        Call.of(
                                GroupFunction.FIXED_WIDTH,
                                FieldOf.of(oneOf("size", "weight", "price")),
                                oneOf(
                                        new GroupExpression.Whole(1 + random.nextInt(3)),
                                        new GroupExpression.Real(0.25))),
                this::buckets);
    }

    private GroupFill fill(GroupExpression key) {
        if (key instanceof GroupExpression.Predefined || random.nextBoolean()) {
            return new GroupFill(Optional.empty());
        }
        boolean isTime =
                key instanceof Call(var function, _) && function == GroupFunction.TIME_BUCKET;
        long from = isTime ? Mails.NOW - random.nextInt(10_000_000) : random.nextInt(-9, 9);
        return new GroupFill(
                Optional.of(
                        new GroupFill.Bounds(
                                whole(from),
                                whole(from + 1 + random.nextInt(isTime ? 10_000_000 : 9)))));
    }

    private GroupCondition condition(int depth) {
        return depth == 0
                ? compared()
                : oneOf(
                        this::compared,
                        () -> new GroupCondition.Not(condition(depth - 1)),
                        () ->
                                new GroupCondition.And(
                                        List.of(condition(depth - 1), condition(depth - 1))),
                        () ->
                                new GroupCondition.Or(
                                        List.of(condition(depth - 1), condition(depth - 1))));
    }

    private GroupCondition compared() {
        return new GroupCondition.Compared(
                oneOf(
                        () -> Aggregate.COUNT,
                        () -> new Aggregate(Aggregator.COUNTDOCS, Optional.empty()),
                        () -> Aggregate.of(Aggregator.AVG, FieldOf.of("size"))),
                oneOf(GroupCondition.Comparison.values()),
                oneOf(
                        () -> new GroupExpression.Whole(random.nextInt(6)),
                        () -> Aggregate.of(Aggregator.MAX, FieldOf.of("size"))));
    }

    private static void collect(GroupExpression expression, Set<GroupExpression> into) {
        switch (expression) {
            case Aggregate _, GroupExpression.Quantiles _ -> into.add(expression);
            case Call(_, var arguments) -> arguments.forEach(each -> collect(each, into));
            default -> {}
        }
    }

    private GroupExpression groupValue() {
        return oneOf(
                () -> Aggregate.COUNT,
                () -> new Aggregate(Aggregator.COUNTDOCS, Optional.empty()),
                () -> Aggregate.of(oneOf(Aggregator.SUM, Aggregator.AVG), number(2)),
                () -> Aggregate.of(Aggregator.STDDEV, FieldOf.of(oneOf("size", "price"))),
                () -> Aggregate.of(Aggregator.SUM, lengths()),
                () ->
                        Aggregate.of(
                                oneOf(Aggregator.MIN, Aggregator.MAX),
                                oneOf(number(2), FieldOf.of("code"), lengths())),
                () -> Aggregate.of(Aggregator.XOR, FieldOf.of(oneOf("size", "sent"))),
                () -> new GroupExpression.Quantiles(List.of(0.0, 0.5, 0.9), number(1)),
                () ->
                        Call.of(
                                oneOf(ARITHMETIC),
                                Aggregate.of(Aggregator.SUM, FieldOf.of("size")),
                                Aggregate.COUNT));
    }

    private GroupExpression lengths() {
        return Call.of(GroupFunction.STRLEN, FieldOf.of(oneOf("labels", "tags")));
    }

    private GroupExpression key() {
        return oneOf(
                () -> number(2),
                () -> FieldOf.of(oneOf("lang", "code", "labels", "tags", "read", "size", "title")),
                () -> text(),
                () -> Call.of(GroupFunction.ADD, lengths(), number(1)),
                () -> Call.of(GroupFunction.MUL, number(1), lengths()),
                () -> Call.of(GroupFunction.DATE, FieldOf.of("sent")),
                () ->
                        Call.of(
                                GroupFunction.TIME_BUCKET,
                                FieldOf.of("sent"),
                                new GroupExpression.Text(
                                        oneOf("15m", "6h", "1d", "3d", "1w", "2w", "1mo", "1y"))),
                () ->
                        Call.of(
                                GroupFunction.UCA,
                                FieldOf.of("lang"),
                                new GroupExpression.Text("sv")),
                () ->
                        Call.of(
                                GroupFunction.FIXED_WIDTH,
                                number(1),
                                oneOf(
                                        new GroupExpression.Whole(1 + random.nextInt(5)),
                                        new GroupExpression.Whole(86_400),
                                        new GroupExpression.Real(0.25))),
                this::buckets);
    }

    private GroupExpression buckets() {
        return oneOf(
                () ->
                        new GroupExpression.Predefined(
                                oneOf(FieldOf.of("size"), FieldOf.of("weight"), lengths()),
                                List.of(
                                        bucket(null, whole(-1)),
                                        bucket(whole(0), whole(1)),
                                        bucket(whole(2), null))),
                () ->
                        new GroupExpression.Predefined(
                                FieldOf.of(oneOf("price", "size")),
                                List.of(bucket(real(0.1), real(0.5)), bucket(real(0.5), null))),
                () ->
                        new GroupExpression.Predefined(
                                FieldOf.of(oneOf("lang", "labels")),
                                List.of(
                                        bucket(null, new GroupValue.Text("h")),
                                        bucket(
                                                new GroupValue.Text("h"),
                                                new GroupValue.Text("mouse ")))));
    }

    private static GroupValue whole(long value) {
        return new GroupValue.Whole(value);
    }

    private static GroupValue real(double value) {
        return new GroupValue.Real(value);
    }

    private static GroupBucket bucket(@Nullable GroupValue from, @Nullable GroupValue to) {
        return new GroupBucket(Optional.ofNullable(from), Optional.ofNullable(to));
    }

    private GroupExpression text() {
        return oneOf(
                () -> FieldOf.of(oneOf("lang", "code")),
                () -> Call.of(GroupFunction.TO_STRING, number(1)),
                () ->
                        Call.of(
                                GroupFunction.STRCAT,
                                FieldOf.of(oneOf("lang", "labels")),
                                new GroupExpression.Text("-"),
                                FieldOf.of(oneOf("size", "weight", "read"))));
    }

    private GroupExpression number(int depth) {
        if (depth == 0) {
            return FieldOf.of(oneOf("size", "weight", "price"));
        }
        return oneOf(
                () -> FieldOf.of(oneOf("size", "sent", "weight", "price")),
                () -> new GroupExpression.Whole(random.nextInt(-2, 3)),
                () -> new GroupExpression.Real(random.nextInt(-2, 3) / 4.0),
                () -> Call.of(oneOf(ARITHMETIC), number(depth - 1), number(depth - 1)),
                () -> Call.of(GroupFunction.NEG, number(depth - 1)),
                () -> Call.of(GroupFunction.TO_LONG, number(depth - 1)),
                () -> Call.of(GroupFunction.TO_DOUBLE, number(depth - 1)),
                () -> Call.of(GroupFunction.FLOOR, number(depth - 1)),
                () -> Call.of(GroupFunction.STRLEN, FieldOf.of(oneOf("title", "code"))),
                () -> Call.of(GroupFunction.SIZE, FieldOf.of(oneOf("labels", "size"))),
                () -> Call.of(oneOf(TIMES), FieldOf.of("sent")));
    }

    private GroupFilter filter(int depth) {
        if (depth == 0) {
            return new GroupFilter.IsTrue(FieldOf.of("read"));
        }
        return oneOf(
                () ->
                        new GroupFilter.Regex(
                                oneOf("e$", "^h", "[0-9]"),
                                FieldOf.of(oneOf("lang", "labels", "code"))),
                () ->
                        new GroupFilter.Range(
                                -1, 1.5, number(1), random.nextBoolean(), random.nextBoolean()),
                () -> new GroupFilter.Not(filter(depth - 1)),
                () -> new GroupFilter.And(List.of(filter(depth - 1), filter(depth - 1))),
                () -> new GroupFilter.Or(List.of(filter(depth - 1), filter(depth - 1))));
    }

    private <T> T oneOf(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    @SafeVarargs
    private <T> T oneOf(Supplier<? extends T>... suppliers) {
        return suppliers[random.nextInt(suppliers.length)].get();
    }

    @SafeVarargs
    private <T> T oneOf(T... values) {
        return values[random.nextInt(values.length)];
    }
}
