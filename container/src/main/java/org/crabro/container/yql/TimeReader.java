package org.crabro.container.yql;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.crabro.document.time.InvalidTimeException;
import org.crabro.document.time.TimeKind;
import org.crabro.document.time.TimeSpan;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.RangeEnd;
import org.crabro.protocol.query.TermSettings;

/** Reads constants that are times, in conditions on fields of times. */
final class TimeReader {
    private static final String NOW = "now";

    private final Operands operands;
    private final QueryContext context;

    /** The path of the field around the conditions in {@code sameElement()}. */
    private String element = "";

    TimeReader(Operands operands, QueryContext context) {
        this.operands = operands;
        this.context = context;
    }

    /** A constant that is a time. Its numbers depend on the kind of the field. */
    record Time(int offset, String text) {}

    /** Reads the conditions on an element of a field. */
    <T> T inElement(String field, Supplier<T> conditions) {
        element = field;
        T result = conditions.get();
        element = "";
        return result;
    }

    /** Returns the document types in which a field has times, by their kind. */
    Map<TimeKind, Set<String>> kinds(YqlExpression named) {
        String path = path(named);
        if (element.isEmpty()) {
            return context.timeKinds(path);
        }
        return context.timeKinds(path.isEmpty() ? element : element + "." + path);
    }

    private String path(YqlExpression named) {
        if (named instanceof YqlExpression.Access(_, var base, _, var bracket, _, var member)) {
            String inside = bracket == '{' ? ".value" : "";
            return path(base) + inside + (member.isEmpty() ? "" : "." + member);
        }
        return named instanceof YqlExpression.Text(_, var text) && text.isBlank()
                ? ""
                : operands.field(named);
    }

    /** Returns the time that a constant is; empty for numbers and other constants. */
    Optional<Time> time(YqlExpression value) {
        return switch (value) {
            case YqlExpression.Text(var offset, var text) -> Optional.of(new Time(offset, text));
            case YqlExpression.Call(var offset, var function, var steps)
                    when function.equals(NOW) ->
                    Optional.of(new Time(offset, now(steps)));
            case YqlExpression.Parameter parameter -> {
                String text = operands.parameter(parameter);
                yield Operands.number(text).isPresent()
                        ? Optional.empty()
                        : Optional.of(new Time(parameter.offset(), text));
            }
            default -> Optional.empty();
        };
    }

    /** The parser makes the steps after {@code now()} its arguments. */
    private String now(List<YqlExpression> steps) {
        var text = new StringBuilder(NOW + "()");
        for (YqlExpression step : steps) {
            text.append(operands.text(step, "now()"));
        }
        return text.toString();
    }

    /** Returns the values that a time names in a field. */
    TimeSpan span(Time time, TimeKind kind) {
        context.count(time.text.length());
        try {
            return kind.span(time.text, context.now());
        } catch (InvalidTimeException e) {
            throw operands.error(time.offset, String.valueOf(e.getMessage()));
        }
    }

    /**
     * Returns a condition on a field of times. If the field counts other units in other document
     * types, returns one condition for each.
     */
    QueryNode inKinds(
            YqlExpression named,
            Map<TimeKind, Set<String>> kinds,
            Function<TimeKind, QueryNode> condition) {
        if (kinds.size() == 1) {
            return condition.apply(kinds.keySet().iterator().next());
        }
        if (!element.isEmpty() || named instanceof YqlExpression.Access) {
            throw operands.error(
                    named.offset(),
                    "document types count different units in this field: write a number instead of"
                            + " a time");
        }
        var all = new ArrayList<QueryNode>();
        kinds.forEach((kind, types) -> {
            QueryNode inType = condition.apply(kind);
            for (String type : types) {
                all.add(
                        new QueryNode.And(
                                List.of(
                                        new QueryNode.Term(
                                                QueryNode.Term.DOCUMENT_TYPE,
                                                type,
                                                TermSettings.DEFAULT),
                                        inType)));
            }
        });
        return new QueryNode.Or(all);
    }

    /** Returns the condition that a field is compared with a time. */
    static QueryNode compared(
            String field, YqlExpression.Operator operator, TimeSpan span, TermSettings settings) {
        RangeEnd open = new RangeEnd.Unbounded();
        return switch (operator) {
            case LESS ->
                    new QueryNode.Range(
                            field, open, new RangeEnd.Whole(span.first(), false), settings);
            case LESS_OR_EQUAL ->
                    new QueryNode.Range(
                            field, open, new RangeEnd.Whole(span.last(), true), settings);
            case GREATER ->
                    new QueryNode.Range(
                            field, new RangeEnd.Whole(span.floor(), false), open, settings);
            case GREATER_OR_EQUAL ->
                    new QueryNode.Range(
                            field, new RangeEnd.Whole(span.first(), true), open, settings);
            default -> within(field, span, settings);
        };
    }

    /** Returns the condition that a field has a value that a time names. */
    static QueryNode within(String field, TimeSpan span, TermSettings settings) {
        return span.first() > span.last()
                ? new QueryNode.None()
                : new QueryNode.Range(
                        field,
                        new RangeEnd.Whole(span.first(), true),
                        new RangeEnd.Whole(span.last(), true),
                        settings);
    }
}
