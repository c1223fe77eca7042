package org.crabro.protocol.encoding;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.crabro.protocol.grouping.Aggregator;
import org.crabro.protocol.grouping.GroupBucket;
import org.crabro.protocol.grouping.GroupCondition;
import org.crabro.protocol.grouping.GroupExpression;
import org.crabro.protocol.grouping.GroupFill;
import org.crabro.protocol.grouping.GroupFilter;
import org.crabro.protocol.grouping.GroupFunction;
import org.crabro.protocol.grouping.GroupPage;
import org.crabro.protocol.grouping.GroupPlan;
import org.crabro.protocol.grouping.GroupingOperation;
import org.crabro.protocol.grouping.GroupingRequest;
import org.crabro.protocol.grouping.GroupingSettings;
import org.crabro.protocol.grouping.HitsPlan;
import org.crabro.protocol.grouping.ListLabel;
import org.crabro.protocol.grouping.ListPlan;
import org.crabro.protocol.grouping.ListedGroups;

/** The encoding of groupings in a search. Functions and aggregators are encoded by name. */
final class GroupingParts {
    private static final int WHOLE = 0;
    private static final int REAL = 1;
    private static final int TEXT = 2;
    private static final int FIELD = 3;
    private static final int CALL = 4;
    private static final int PREDEFINED = 5;
    private static final int AGGREGATE = 6;
    private static final int QUANTILES = 7;
    private static final int SUMMARY = 8;

    private static final int NO_KEY = 0;
    private static final int LITERAL_KEY = 1;
    private static final int KEY_OF_FIELD = 2;

    private static final int REGEX = 0;
    private static final int RANGE = 1;
    private static final int IS_TRUE = 2;
    private static final int NOT = 3;
    private static final int AND = 4;
    private static final int OR = 5;

    private static final int FILTER = 1;
    private static final int HAVING = 2;
    private static final int CONDITIONS = 4;
    private static final int FILL = 8;
    private static final int DEFAULT_MAX = 16;

    private static final int COMPARED = 0;
    private static final int NO_CONDITION = 1;
    private static final int ALL_CONDITIONS = 2;
    private static final int ANY_CONDITION = 3;

    private GroupingParts() {}

    static void write(MessageWriter out, GroupingSettings settings) {
        out.putList(settings.requests(), request -> write(out, request));
        out.putText(settings.timeZone());
        out.putBoolean(settings.isWhole());
        out.putLong(settings.maxBytes());
    }

    static GroupingSettings readSettings(MessageReader in) {
        return new GroupingSettings(
                in.readList(() -> readRequest(in)), in.readText(), in.readBoolean(), in.readLong());
    }

    private static void write(MessageWriter out, GroupingRequest request) {
        out.putBoolean(request.everything());
        out.putInt(request.documents());
        write(out, request.root());
        out.putList(request.pages(), page -> write(out, page));
    }

    private static GroupingRequest readRequest(MessageReader in) {
        return new GroupingRequest(
                in.readBoolean(),
                in.readInt(),
                readPlan(in),
                in.readList(
                        () -> new GroupPage(in.readList(in::readInt), in.readInt(), in.readInt())));
    }

    private static void write(MessageWriter out, GroupPage page) {
        out.putList(page.path(), out::putInt);
        out.putInt(page.tag());
        out.putInt(page.offset());
    }

    private static void write(MessageWriter out, GroupPlan plan) {
        out.putList(plan.aggregates(), aggregate -> write(out, aggregate));
        out.putList(plan.outputs(), output -> write(out, output));
        out.putList(plan.lists(), list -> write(out, list));
        out.putList(plan.hits(), hits -> write(out, hits));
    }

    private static GroupPlan readPlan(MessageReader in) {
        return in.readNested(() ->
                new GroupPlan(
                        in.readList(() -> readExpression(in)),
                        in.readList(() -> readOutput(in)),
                        in.readList(() -> readListPlan(in)),
                        in.readList(() -> readHits(in))));
    }

    private static void write(MessageWriter out, ListPlan list) {
        out.putText(list.label().text());
        out.putInt(list.label().tag());
        write(out, list.by());
        int having =
                list.listed().having().isEmpty()
                        ? 0
                        : isPlain(list.listed().having()) ? HAVING : CONDITIONS;
        out.putByte(
                (list.filter().isPresent() ? FILTER : 0)
                        | having
                        | (list.listed().fill().isPresent() ? FILL : 0)
                        | (list.listed().isMaxSaid() ? 0 : DEFAULT_MAX));
        list.filter().ifPresent(filter -> write(out, filter));
        if (having != 0) {
            out.putList(
                    list.listed().having(), condition -> write(out, condition, having == HAVING));
        }
        list.listed().fill().ifPresent(fill -> write(out, fill));
        out.putBoolean(list.listed().isListed());
        out.putInt(list.listed().max());
        out.putList(
                list.listed().order(),
                order -> {
                    write(out, order.value());
                    out.putBoolean(order.descending());
                });
        out.putList(list.totals(), output -> write(out, output));
        write(out, list.group());
    }

    private static ListPlan readListPlan(MessageReader in) {
        String label = in.readText();
        int tag = in.readInt();
        GroupExpression by = readExpression(in);
        int parts = in.readByte();
        int conditions = HAVING | CONDITIONS;
        if ((parts & ~(FILTER | conditions | FILL | DEFAULT_MAX)) != 0
                || (parts & conditions) == conditions) {
            throw in.unknown(
                    "1 for a filter, 2 or 4 for conditions, 8 for groups without documents and 16 for the usual maximum, added",
                    parts);
        }
        Optional<GroupFilter> filter =
                (parts & FILTER) == 0 ? Optional.empty() : Optional.of(readFilter(in));
        List<GroupCondition> having =
                (parts & HAVING) != 0
                        ? in.readList(() -> readCompared(in))
                        : (parts & CONDITIONS) != 0
                                ? in.readList(() -> readCondition(in))
                                : List.of();
        Optional<GroupFill> fill =
                (parts & FILL) == 0 ? Optional.empty() : Optional.of(readFill(in));
        return new ListPlan(
                new ListLabel(label, tag),
                by,
                filter,
                new ListedGroups(
                        in.readBoolean(),
                        in.readInt(),
                        (parts & DEFAULT_MAX) == 0,
                        in.readList(() ->
                                new GroupingOperation.Order(readExpression(in), in.readBoolean())),
                        having,
                        fill),
                in.readList(() -> readOutput(in)),
                readPlan(in));
    }

    private static void write(MessageWriter out, GroupFill fill) {
        out.putOptional(
                fill.bounds(),
                bounds -> {
                    GroupParts.write(out, bounds.from());
                    GroupParts.write(out, bounds.to());
                });
    }

    private static GroupFill readFill(MessageReader in) {
        return new GroupFill(
                in.readOptional(() ->
                        new GroupFill.Bounds(GroupParts.readValue(in), GroupParts.readValue(in))));
    }

    private static boolean isPlain(List<GroupCondition> conditions) {
        return conditions.stream().allMatch(each -> each instanceof GroupCondition.Compared);
    }

    /**
     * @param isPlain whether only a comparison is possible, so that no tag is written
     */
    private static void write(MessageWriter out, GroupCondition condition, boolean isPlain) {
        switch (condition) {
            case GroupCondition.Compared(var left, var comparison, var right) -> {
                if (!isPlain) {
                    out.putByte(COMPARED);
                }
                write(out, left);
                out.putText(comparison.name());
                write(out, right);
            }
            case GroupCondition.Not(var operand) -> {
                out.putByte(NO_CONDITION);
                write(out, operand, false);
            }
            case GroupCondition.And(var operands) -> {
                out.putByte(ALL_CONDITIONS);
                out.putList(operands, operand -> write(out, operand, false));
            }
            case GroupCondition.Or(var operands) -> {
                out.putByte(ANY_CONDITION);
                out.putList(operands, operand -> write(out, operand, false));
            }
        }
    }

    private static GroupCondition readCondition(MessageReader in) {
        return in.readNested(() -> readConditionHere(in));
    }

    private static GroupCondition readConditionHere(MessageReader in) {
        int tag = in.readByte();
        return switch (tag) {
            case COMPARED -> readCompared(in);
            case NO_CONDITION -> new GroupCondition.Not(readCondition(in));
            case ALL_CONDITIONS -> new GroupCondition.And(in.readList(() -> readCondition(in)));
            case ANY_CONDITION -> new GroupCondition.Or(in.readList(() -> readCondition(in)));
            default -> throw in.unknown("the tag of a condition", tag);
        };
    }

    private static GroupCondition readCompared(MessageReader in) {
        GroupExpression left = readExpression(in);
        GroupCondition.Comparison comparison =
                in.readChecked(
                        "a comparison", () -> GroupCondition.Comparison.valueOf(in.readText()));
        return new GroupCondition.Compared(left, comparison, readExpression(in));
    }

    private static void write(MessageWriter out, HitsPlan hits) {
        out.putText(hits.label());
        out.putInt(hits.tag());
        out.putInt(hits.max());
        out.putText(hits.summary());
    }

    private static HitsPlan readHits(MessageReader in) {
        return new HitsPlan(in.readText(), in.readInt(), in.readInt(), in.readText());
    }

    private static void write(MessageWriter out, GroupingOperation.Output output) {
        write(out, output.value());
        out.putText(output.label());
    }

    private static GroupingOperation.Output readOutput(MessageReader in) {
        return new GroupingOperation.Output(readExpression(in), in.readText());
    }

    private static void write(MessageWriter out, GroupExpression expression) {
        switch (expression) {
            case GroupExpression.Whole(long value) -> {
                out.putByte(WHOLE);
                out.putLong(value);
            }
            case GroupExpression.Real(double value) -> {
                out.putByte(REAL);
                out.putDouble(value);
            }
            case GroupExpression.Text(var value) -> {
                out.putByte(TEXT);
                out.putText(value);
            }
            case GroupExpression.FieldOf(var name, var key, var remainder) -> {
                out.putByte(FIELD);
                out.putText(name);
                write(out, key);
                out.putText(remainder);
            }
            case GroupExpression.Call(var function, var arguments) -> {
                out.putByte(CALL);
                out.putText(function.name());
                out.putList(arguments, argument -> write(out, argument));
            }
            case GroupExpression.Predefined(var value, var buckets) -> {
                out.putByte(PREDEFINED);
                write(out, value);
                out.putList(
                        buckets,
                        bucket -> {
                            out.putOptional(bucket.from(), end -> GroupParts.write(out, end));
                            out.putOptional(bucket.to(), end -> GroupParts.write(out, end));
                        });
            }
            case GroupExpression.Aggregate(var aggregator, var argument) -> {
                out.putByte(AGGREGATE);
                out.putText(aggregator.name());
                out.putOptional(argument, each -> write(out, each));
            }
            case GroupExpression.Quantiles(var levels, var argument) -> {
                out.putByte(QUANTILES);
                out.putList(levels, out::putDouble);
                write(out, argument);
            }
            case GroupExpression.Summary(var name) -> {
                out.putByte(SUMMARY);
                out.putText(name);
            }
        }
    }

    private static GroupExpression readExpression(MessageReader in) {
        return in.readNested(() -> readExpressionHere(in));
    }

    private static GroupExpression readExpressionHere(MessageReader in) {
        int tag = in.readByte();
        return switch (tag) {
            case WHOLE -> new GroupExpression.Whole(in.readLong());
            case REAL -> new GroupExpression.Real(in.readDouble());
            case TEXT -> new GroupExpression.Text(in.readText());
            case FIELD -> new GroupExpression.FieldOf(in.readText(), readKey(in), in.readText());
            case CALL ->
                    in.readChecked(
                            "a call of a function",
                            () ->
                                    new GroupExpression.Call(
                                            GroupFunction.valueOf(in.readText()),
                                            in.readList(() -> readExpression(in))));
            case PREDEFINED ->
                    new GroupExpression.Predefined(
                            readExpression(in),
                            in.readList(() ->
                                    new GroupBucket(
                                            in.readOptional(() -> GroupParts.readValue(in)),
                                            in.readOptional(() -> GroupParts.readValue(in)))));
            case AGGREGATE ->
                    in.readChecked(
                            "an aggregate",
                            () ->
                                    new GroupExpression.Aggregate(
                                            Aggregator.valueOf(in.readText()),
                                            in.readOptional(() -> readExpression(in))));
            case QUANTILES ->
                    new GroupExpression.Quantiles(in.readList(in::readDouble), readExpression(in));
            case SUMMARY -> new GroupExpression.Summary(in.readText());
            default -> throw in.unknown("the tag of an expression", tag);
        };
    }

    private static void write(MessageWriter out, Optional<GroupExpression.EntryKey> key) {
        if (key.isEmpty()) {
            out.putByte(NO_KEY);
            return;
        }
        switch (key.get()) {
            case GroupExpression.EntryKey.Literal(var literal) -> {
                out.putByte(LITERAL_KEY);
                out.putText(literal);
            }
            case GroupExpression.EntryKey.OfField(var field) -> {
                out.putByte(KEY_OF_FIELD);
                out.putText(field);
            }
        }
    }

    private static Optional<GroupExpression.EntryKey> readKey(MessageReader in) {
        int tag = in.readByte();
        return switch (tag) {
            case NO_KEY -> Optional.empty();
            case LITERAL_KEY -> Optional.of(new GroupExpression.EntryKey.Literal(in.readText()));
            case KEY_OF_FIELD -> Optional.of(new GroupExpression.EntryKey.OfField(in.readText()));
            default -> throw in.unknown("the tag of a key", tag);
        };
    }

    private static void write(MessageWriter out, GroupFilter filter) {
        switch (filter) {
            case GroupFilter.Regex(var pattern, var value) -> {
                out.putByte(REGEX);
                out.putText(pattern);
                write(out, value);
            }
            case GroupFilter.Range range -> {
                out.putByte(RANGE);
                out.putDouble(range.from());
                out.putDouble(range.to());
                write(out, range.value());
                out.putBoolean(range.fromIncluded());
                out.putBoolean(range.toIncluded());
            }
            case GroupFilter.IsTrue(var value) -> {
                out.putByte(IS_TRUE);
                write(out, value);
            }
            case GroupFilter.Not(var operand) -> {
                out.putByte(NOT);
                write(out, operand);
            }
            case GroupFilter.And(var operands) -> {
                out.putByte(AND);
                out.putList(operands, operand -> write(out, operand));
            }
            case GroupFilter.Or(var operands) -> {
                out.putByte(OR);
                out.putList(operands, operand -> write(out, operand));
            }
        }
    }

    private static GroupFilter readFilter(MessageReader in) {
        return in.readNested(() -> readFilterHere(in));
    }

    private static GroupFilter readFilterHere(MessageReader in) {
        int tag = in.readByte();
        Supplier<List<GroupFilter>> operands = () -> in.readList(() -> readFilter(in));
        return switch (tag) {
            case REGEX -> new GroupFilter.Regex(in.readText(), readExpression(in));
            case RANGE ->
                    new GroupFilter.Range(
                            in.readDouble(),
                            in.readDouble(),
                            readExpression(in),
                            in.readBoolean(),
                            in.readBoolean());
            case IS_TRUE -> new GroupFilter.IsTrue(readExpression(in));
            case NOT -> new GroupFilter.Not(readFilter(in));
            case AND -> new GroupFilter.And(operands.get());
            case OR -> new GroupFilter.Or(operands.get());
            default -> throw in.unknown("the tag of a filter", tag);
        };
    }
}
