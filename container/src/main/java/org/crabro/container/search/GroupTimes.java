package org.crabro.container.search;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.schema.Schema;
import org.crabro.document.time.TimeKind;
import org.crabro.protocol.grouping.Aggregator;
import org.crabro.protocol.grouping.GroupExpression;
import org.crabro.protocol.grouping.GroupFunction;
import org.crabro.protocol.grouping.GroupPlan;
import org.crabro.protocol.grouping.GroupValue;
import org.crabro.protocol.grouping.GroupingOperation.Output;
import org.crabro.protocol.grouping.ListPlan;

/**
 * The fields of groups whose numbers are times, and are shown as texts.
 *
 * @param kinds by the path of the field
 */
public record GroupTimes(Map<String, TimeKind> kinds) {
    /** Numbers are shown as numbers. */
    public static final GroupTimes NONE = new GroupTimes(Map.of());

    private static final long SECONDS_PER_DAY = 86_400;

    public GroupTimes {
        kinds = Map.copyOf(kinds);
    }

    /**
     * Returns the times of a plan. A field that counts different units in several schemas is none.
     *
     * @param schemas those that are searched
     */
    static GroupTimes of(GroupPlan plan, Iterable<Schema> schemas) {
        var fields = new HashSet<GroupExpression.FieldOf>();
        collect(plan, fields);
        var kinds = new HashMap<String, TimeKind>();
        for (GroupExpression.FieldOf field : fields) {
            var all = new HashSet<TimeKind>();
            for (Schema schema : schemas) {
                schema.times(field.partPath()).kind().ifPresent(all::add);
            }
            if (all.size() == 1) {
                kinds.put(field.partPath(), all.iterator().next());
            }
        }
        return new GroupTimes(kinds);
    }

    private static void collect(GroupPlan plan, Set<GroupExpression.FieldOf> into) {
        for (Output output : plan.outputs()) {
            field(output.value()).ifPresent(into::add);
        }
        for (ListPlan list : plan.lists()) {
            field(list.by()).ifPresent(into::add);
            collect(list.group(), into);
        }
    }

    /** Returns the field whose values an expression has; empty if it computes others. */
    private static Optional<GroupExpression.FieldOf> field(GroupExpression expression) {
        return switch (expression) {
            case GroupExpression.FieldOf field -> Optional.of(field);
            case GroupExpression.Predefined(var value, _) -> field(value);
            case GroupExpression.Aggregate(var aggregator, var argument)
                    when aggregator == Aggregator.MIN || aggregator == Aggregator.MAX ->
                    argument.flatMap(GroupTimes::field);
            case GroupExpression.Call(var function, var arguments)
                    when function == GroupFunction.ATTRIBUTE
                            || function == GroupFunction.FIXED_WIDTH
                            || function == GroupFunction.TIME_BUCKET ->
                    field(arguments.getFirst());
            default -> Optional.empty();
        };
    }

    /** Returns the text of a value of an expression; empty if it is no time. */
    public Optional<String> text(GroupExpression expression, GroupValue value) {
        if (kinds.isEmpty() || !(value instanceof GroupValue.Whole(long number))) {
            return Optional.empty();
        }
        Optional<TimeKind> ofField = field(expression).map(field -> kinds.get(field.partPath()));
        Optional<TimeKind> shown =
                expression instanceof GroupExpression.Call(var function, var arguments)
                                && function == GroupFunction.TIME_BUCKET
                        ? ofField.map(_ -> ofBucket(arguments.get(1), number))
                        : ofField;
        return shown.flatMap(kind -> kind.text(number));
    }

    /**
     * Starts of periods are in seconds, whatever the field counts. In UTC, those of days and longer
     * periods are days.
     */
    private static TimeKind ofBucket(GroupExpression width, long start) {
        return width instanceof GroupExpression.Text(var text)
                        && text.matches("[0-9]+(d|w|mo|y)")
                        && start % SECONDS_PER_DAY == 0
                ? TimeKind.DAYS
                : TimeKind.SECONDS;
    }
}
