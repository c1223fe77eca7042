package org.crabro.protocol.encoding;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import org.crabro.protocol.grouping.AggregateValue;
import org.crabro.protocol.grouping.Aggregator;
import org.crabro.protocol.grouping.ExactSum;
import org.crabro.protocol.grouping.Group;
import org.crabro.protocol.grouping.GroupBucket;
import org.crabro.protocol.grouping.GroupCondition;
import org.crabro.protocol.grouping.GroupExpression;
import org.crabro.protocol.grouping.GroupFill;
import org.crabro.protocol.grouping.GroupFilter;
import org.crabro.protocol.grouping.GroupFunction;
import org.crabro.protocol.grouping.GroupHits;
import org.crabro.protocol.grouping.GroupId;
import org.crabro.protocol.grouping.GroupList;
import org.crabro.protocol.grouping.GroupPage;
import org.crabro.protocol.grouping.GroupPlan;
import org.crabro.protocol.grouping.GroupValue;
import org.crabro.protocol.grouping.GroupingOperation;
import org.crabro.protocol.grouping.GroupingRequest;
import org.crabro.protocol.grouping.GroupingSettings;
import org.crabro.protocol.grouping.HitsPlan;
import org.crabro.protocol.grouping.ListLabel;
import org.crabro.protocol.grouping.ListPlan;
import org.crabro.protocol.grouping.ListedGroups;
import org.crabro.protocol.grouping.QuantileSketch;
import org.crabro.protocol.search.SearchHit;

/** Creates random groupings and groups of all shapes, valid or not. */
final class RandomGroups {
    private final Random random;

    RandomGroups(Random random) {
        this.random = random;
    }

    GroupingSettings settings() {
        return new GroupingSettings(
                listOf(() ->
                        new GroupingRequest(
                                random.nextBoolean(),
                                random.nextInt(),
                                plan(2),
                                listOf(() ->
                                        new GroupPage(
                                                listOf(random::nextInt),
                                                random.nextInt(),
                                                random.nextInt())))),
                text(),
                random.nextBoolean(),
                random.nextLong());
    }

    private GroupPlan plan(int depth) {
        return new GroupPlan(
                listOf(() -> expression(2)),
                listOf(this::output),
                depth == 0 ? List.of() : listOf(() -> list(depth)),
                listOf(() -> new HitsPlan(text(), random.nextInt(), random.nextInt(), text())));
    }

    private ListPlan list(int depth) {
        return new ListPlan(
                new ListLabel(text(), random.nextInt()),
                expression(2),
                random.nextBoolean() ? Optional.empty() : Optional.of(filter(2)),
                new ListedGroups(
                        random.nextBoolean(),
                        random.nextInt(),
                        random.nextBoolean(),
                        listOf(() ->
                                new GroupingOperation.Order(expression(2), random.nextBoolean())),
                        random.nextBoolean() ? listOf(this::compared) : listOf(() -> condition(2)),
                        random.nextBoolean() ? Optional.empty() : Optional.of(fill())),
                listOf(this::output),
                plan(depth - 1));
    }

    private GroupFill fill() {
        return new GroupFill(
                random.nextBoolean()
                        ? Optional.empty()
                        : Optional.of(
                                new GroupFill.Bounds(
                                        new GroupValue.Whole(random.nextLong()),
                                        new GroupValue.Real(random.nextDouble()))));
    }

    private GroupCondition condition(int depth) {
        return depth == 0
                ? compared()
                : oneOf(
                        this::compared,
                        () -> new GroupCondition.Not(condition(depth - 1)),
                        () -> new GroupCondition.And(listOf(() -> condition(depth - 1))),
                        () -> new GroupCondition.Or(listOf(() -> condition(depth - 1))));
    }

    private GroupCondition compared() {
        return new GroupCondition.Compared(expression(1), comparison(), expression(1));
    }

    private GroupCondition.Comparison comparison() {
        List<GroupCondition.Comparison> all = List.of(GroupCondition.Comparison.values());
        return all.get(random.nextInt(all.size()));
    }

    private GroupingOperation.Output output() {
        return new GroupingOperation.Output(expression(1), text());
    }

    private GroupExpression expression(int depth) {
        if (depth == 0) {
            return new GroupExpression.Whole(random.nextLong());
        }
        return oneOf(
                () -> new GroupExpression.Real(random.nextGaussian()),
                () -> new GroupExpression.Text(text()),
                () -> new GroupExpression.Summary(text()),
                () -> new GroupExpression.FieldOf(text(), key(), text()),
                () ->
                        GroupExpression.Call.of(
                                GroupFunction.STRCAT, expression(depth - 1), expression(depth - 1)),
                () -> new GroupExpression.Call(GroupFunction.NOW, List.of()),
                () ->
                        new GroupExpression.Predefined(
                                expression(depth - 1), listOf(() -> new GroupBucket(end(), end()))),
                () -> GroupExpression.Aggregate.COUNT,
                () -> GroupExpression.Aggregate.of(Aggregator.STDDEV, expression(depth - 1)),
                () ->
                        new GroupExpression.Quantiles(
                                listOf(random::nextDouble), expression(depth - 1)));
    }

    private Optional<GroupExpression.EntryKey> key() {
        return oneOf(
                Optional::empty,
                () -> Optional.of(new GroupExpression.EntryKey.Literal(text())),
                () -> Optional.of(new GroupExpression.EntryKey.OfField(text())));
    }

    private GroupFilter filter(int depth) {
        if (depth == 0) {
            return new GroupFilter.IsTrue(expression(1));
        }
        return oneOf(
                () -> new GroupFilter.Regex(text(), expression(1)),
                () ->
                        new GroupFilter.Range(
                                random.nextDouble(),
                                Double.POSITIVE_INFINITY,
                                expression(1),
                                random.nextBoolean(),
                                random.nextBoolean()),
                () -> new GroupFilter.Not(filter(depth - 1)),
                () -> new GroupFilter.And(listOf(() -> filter(depth - 1))),
                () -> new GroupFilter.Or(listOf(() -> filter(depth - 1))));
    }

    Group<SearchHit> group(Supplier<SearchHit> hit, int depth) {
        return new Group<>(
                id(),
                random.nextGaussian(),
                listOf(this::aggregate),
                depth == 0
                        ? List.of()
                        : listOf(() ->
                                new GroupList<>(
                                        listOf(() -> group(hit, depth - 1)),
                                        random.nextInt(),
                                        random.nextLong())),
                listOf(() -> new GroupHits<>(listOf(hit), random.nextInt(), random.nextLong())));
    }

    private GroupId id() {
        return oneOf(
                GroupId.Root::new,
                GroupId.Missing::new,
                () -> new GroupId.Value(value()),
                () -> new GroupId.Range(GroupId.Kind.STRING, end(), end()));
    }

    private Optional<GroupValue> end() {
        return random.nextBoolean() ? Optional.empty() : Optional.of(value());
    }

    private GroupValue value() {
        return oneOf(
                () -> new GroupValue.Whole(random.nextLong()),
                () -> new GroupValue.Real(random.nextInt(5) == 0 ? Double.NaN : 0.1),
                () -> new GroupValue.Text(text()),
                () -> new GroupValue.Truth(random.nextBoolean()),
                () -> GroupValue.Raw.of(new byte[] {0, -1, 65}, 0, 3),
                () ->
                        new GroupValue.Quantiles(
                                listOf(() ->
                                        new GroupValue.Quantile(
                                                random.nextDouble(), random.nextDouble()))));
    }

    private AggregateValue aggregate() {
        return oneOf(
                () -> new AggregateValue.Count(random.nextLong()),
                () -> new AggregateValue.WholeSum(random.nextLong()),
                () -> new AggregateValue.RealSum(sum()),
                () -> new AggregateValue.WholeAverage(random.nextLong(), random.nextLong()),
                () -> new AggregateValue.RealAverage(sum(), random.nextLong()),
                () -> new AggregateValue.Least(end(), value()),
                () -> new AggregateValue.Greatest(end(), value()),
                () -> new AggregateValue.Bits(random.nextLong()),
                () -> new AggregateValue.Deviation(random.nextLong(), sum(), sum()),
                () -> new AggregateValue.Spread(listOf(random::nextDouble), sketch()));
    }

    private ExactSum sum() {
        return new ExactSum(listOf(random::nextGaussian));
    }

    private QuantileSketch sketch() {
        int count = random.nextInt(8) == 0 ? QuantileSketch.EXACT_MAX + 10 : random.nextInt(5);
        return QuantileSketch.of(random.doubles(count).toArray());
    }

    private String text() {
        return oneOf(() -> "", () -> "größer", () -> "\ud83d\ude00", () -> "x" + random.nextInt());
    }

    private <T> List<T> listOf(Supplier<T> element) {
        var list = new ArrayList<T>();
        for (int i = random.nextInt(3); i > 0; i--) {
            list.add(element.get());
        }
        return list;
    }

    @SafeVarargs
    private <T> T oneOf(Supplier<? extends T>... suppliers) {
        return suppliers[random.nextInt(suppliers.length)].get();
    }
}
