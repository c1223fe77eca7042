package org.crabro.container.yql;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.document.time.TimeKind;
import org.crabro.document.time.TimeSpan;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.RangeEnd;
import org.crabro.protocol.query.TermSettings;

/**
 * Reads conditions that compare a field with constants: {@code =}, {@code <}, {@code >}, {@code
 * range()}, {@code matches} and {@code in}.
 */
final class ComparisonReader {
    private final Operands operands;
    private final QueryContext context;
    private final Operators operators;
    private final TimeReader times;

    ComparisonReader(
            Operands operands, QueryContext context, Operators operators, TimeReader times) {
        this.operands = operands;
        this.context = context;
        this.operators = operators;
        this.times = times;
    }

    QueryNode compared(YqlExpression.Comparison comparison, Annotations around) {
        // A string is a field if the other side is no field.
        boolean fieldFirst =
                isField(comparison.left())
                        || (comparison.left() instanceof YqlExpression.Text
                                && !isField(comparison.right()));
        YqlExpression named = fieldFirst ? comparison.left() : comparison.right();
        YqlExpression value = fieldFirst ? comparison.right() : comparison.left();
        YqlExpression.Operator operator =
                fieldFirst ? comparison.operator() : comparison.operator().flipped();
        Annotations inner = around;
        while (value instanceof YqlExpression.Annotated(_, var annotations, var operand)) {
            inner = inner.with(annotations);
            value = operand;
        }
        TermSettings settings = inner.termSettings();
        Optional<TimeReader.Time> time = times.time(value);
        Map<TimeKind, Set<String>> kinds = time.isEmpty() ? Map.of() : times.kinds(named);
        if (!kinds.isEmpty()) {
            return operators.inField(
                    named,
                    inner,
                    field ->
                            times.inKinds(
                                    named,
                                    kinds,
                                    kind ->
                                            TimeReader.compared(
                                                    field,
                                                    operator,
                                                    times.span(time.orElseThrow(), kind),
                                                    settings)));
        }
        if (operator == YqlExpression.Operator.EQUAL) {
            Optional<Boolean> truth = truth(value);
            if (truth.isPresent()) {
                return operators.inField(
                        named,
                        inner,
                        field -> new QueryNode.BooleanEquals(field, truth.get(), settings));
            }
            if (value instanceof YqlExpression.Text(_, var text)) {
                if (!(named instanceof YqlExpression.Access)) {
                    throw operands.error(
                            value.offset(),
                            "'=' compares numbers and booleans; for text use contains");
                }
                return operators.inField(named, inner, field -> text(field, text, settings));
            }
            if (named instanceof YqlExpression.Access
                    && value instanceof YqlExpression.Parameter parameter
                    && Operands.number(operands.parameter(parameter)).isEmpty()) {
                String text = operands.parameter(parameter);
                return operators.inField(named, inner, field -> text(field, text, settings));
            }
        }
        RangeEnd number = operands.number(value, "'" + comparison.operator().written() + "'");
        return operators.inField(named, inner, field -> between(field, operator, number, settings));
    }

    /** Returns the condition that an element, or the value of a key, contains a text. */
    private QueryNode text(String field, String text, TermSettings settings) {
        context.count(text.length());
        return new QueryNode.Term(field, text, settings);
    }

    private static QueryNode between(
            String field, YqlExpression.Operator operator, RangeEnd number, TermSettings settings) {
        RangeEnd open = new RangeEnd.Unbounded();
        return switch (operator) {
            case LESS -> new QueryNode.Range(field, open, end(number, false), settings);
            case LESS_OR_EQUAL -> new QueryNode.Range(field, open, number, settings);
            case GREATER -> new QueryNode.Range(field, end(number, false), open, settings);
            case GREATER_OR_EQUAL -> new QueryNode.Range(field, number, open, settings);
            case EQUAL -> new QueryNode.Range(field, number, number, settings);
            case NOT_EQUAL,
                    CONTAINS,
                    MATCHES,
                    LIKE,
                    IN,
                    NOT_MATCHES,
                    NOT_LIKE,
                    NOT_IN,
                    IS_NULL,
                    IS_NOT_NULL ->
                    throw new IllegalArgumentException("no comparison: " + operator);
        };
    }

    private Optional<Boolean> truth(YqlExpression value) {
        if (value instanceof YqlExpression.Truth(_, var truth)) {
            return Optional.of(truth);
        }
        return value instanceof YqlExpression.Parameter parameter
                ? Operands.truth(operands.parameter(parameter))
                : Optional.empty();
    }

    private static boolean isField(YqlExpression expression) {
        return expression instanceof YqlExpression.Access
                || (expression instanceof YqlExpression.Name(_, var path)
                        && !path.equalsIgnoreCase("infinity"));
    }

    QueryNode matches(YqlExpression.Comparison comparison, Annotations around) {
        YqlExpression value = comparison.right();
        Annotations inner = around;
        while (value instanceof YqlExpression.Annotated(_, var annotations, var operand)) {
            inner = inner.with(annotations);
            value = operand;
        }
        YqlExpression expression = value;
        Annotations all = inner;
        return operators.inField(
                comparison.left(), inner, field -> operators.regex(field, expression, all));
    }

    QueryNode in(YqlExpression.Comparison comparison, Annotations around) {
        return operators.inField(comparison.left(), around, field -> in(field, comparison, around));
    }

    private QueryNode in(String field, YqlExpression.Comparison comparison, Annotations around) {
        context.unlisted(field)
                .ifPresent(type -> {
                    throw operands.error(
                            comparison.operatorOffset(),
                            "only integer and string fields are supported by in, and '%s' is of type %s"
                                    .formatted(field, type));
                });
        if (!(comparison.right() instanceof YqlExpression.ListOf(_, var elements))) {
            throw operands.expected("a list", "in", comparison.right());
        }
        Map<TimeKind, Set<String>> kinds = times.kinds(comparison.left());
        return kinds.isEmpty()
                ? in(field, elements, around)
                : times.inKinds(
                        comparison.left(), kinds, kind -> in(field, kind, elements, around));
    }

    /** Returns the condition that a field of times has one of the values that a list names. */
    private QueryNode in(
            String field, TimeKind kind, List<YqlExpression> elements, Annotations around) {
        var numbers = new ArrayList<YqlExpression>();
        var spans = new ArrayList<QueryNode>();
        for (YqlExpression element : elements) {
            for (YqlExpression each : listed(element)) {
                Optional<TimeReader.Time> time = times.time(each);
                if (time.isEmpty()) {
                    numbers.add(each);
                } else {
                    spans.add(
                            TimeReader.within(
                                    field, times.span(time.get(), kind), around.unaffixed()));
                }
            }
        }
        if (!numbers.isEmpty()) {
            spans.add(in(field, numbers, around));
        }
        return spans.size() == 1 ? spans.getFirst() : new QueryNode.Or(spans);
    }

    /** Returns the values of a parameter that is a list; another element is returned itself. */
    private List<YqlExpression> listed(YqlExpression element) {
        if (!(element instanceof YqlExpression.Parameter parameter)) {
            return List.of(element);
        }
        String list = operands.parameter(parameter);
        context.count(list.length());
        var each = new ArrayList<YqlExpression>();
        for (String value : ListText.values(list)) {
            each.add(
                    Operands.number(value).orElse(null) instanceof RangeEnd.Whole(var whole, _)
                            ? new YqlExpression.Whole(parameter.offset(), whole)
                            : new YqlExpression.Text(parameter.offset(), value));
        }
        return each;
    }

    private QueryNode in(String field, List<YqlExpression> elements, Annotations around) {
        var keys = new ArrayList<String>();
        for (YqlExpression element : elements) {
            if (element instanceof YqlExpression.Text(_, var value)) {
                context.count(value.length());
                keys.add(value);
            } else if (element instanceof YqlExpression.Whole(_, var value)) {
                keys.add(Long.toString(value));
            } else if (element instanceof YqlExpression.Parameter parameter) {
                String list = operands.parameter(parameter);
                context.count(list.length());
                for (String value : ListText.values(list)) {
                    context.count(value.length());
                    keys.add(value);
                }
            } else {
                throw operands.expected("whole numbers or strings", "in", element);
            }
        }
        return keys.isEmpty() ? new QueryNode.None() : in(field, keys, around.unaffixed());
    }

    private static QueryNode in(String field, List<String> keys, TermSettings settings) {
        if (field.equals(QueryNode.Term.DOCUMENT_TYPE)) {
            return new QueryNode.Or(
                    keys.stream()
                            .<QueryNode>map(key -> new QueryNode.Term(field, key, settings))
                            .toList());
        }
        return new QueryNode.AnyOf(
                field,
                QueryNode.AnyOf.Kind.IN,
                keys.stream().map(key -> new QueryNode.WeightedKey(key, 1)).toList(),
                0,
                settings);
    }

    QueryNode range(YqlExpression.Call call, Annotations around) {
        operands.expectArguments(call, 3);
        YqlExpression named = call.arguments().getFirst();
        String bounds = around.text(StandardAnnotation.BOUNDS, "closed");
        boolean openLeft = bounds.equals("open") || bounds.equals("leftOpen");
        boolean openRight = bounds.equals("open") || bounds.equals("rightOpen");
        if (!openLeft && !openRight && !bounds.equals("closed")) {
            throw operands.error(
                    around.find(StandardAnnotation.BOUNDS).orElseThrow().offset(),
                    "expected open, leftOpen or rightOpen for annotation 'bounds', got \""
                            + bounds
                            + '"');
        }
        TermSettings settings = around.termSettings();
        YqlExpression from = call.arguments().get(1);
        YqlExpression to = call.arguments().get(2);
        Optional<TimeReader.Time> first = times.time(from);
        Optional<TimeReader.Time> last = times.time(to);
        Map<TimeKind, Set<String>> kinds =
                first.isEmpty() && last.isEmpty() ? Map.of() : times.kinds(named);
        if (!kinds.isEmpty()) {
            return operators.inField(
                    named,
                    around,
                    field ->
                            times.inKinds(
                                    named,
                                    kinds,
                                    kind ->
                                            new QueryNode.Range(
                                                    field,
                                                    first.map(time -> low(time, kind, !openLeft))
                                                            .orElseGet(
                                                                    () -> limit(from, !openLeft)),
                                                    last.map(time -> high(time, kind, !openRight))
                                                            .orElseGet(() -> limit(to, !openRight)),
                                                    settings)));
        }
        RangeEnd low = operands.limit(from);
        RangeEnd high = operands.limit(to);
        return operators.inField(
                named,
                around,
                field ->
                        new QueryNode.Range(
                                field, end(low, !openLeft), end(high, !openRight), settings));
    }

    private RangeEnd limit(YqlExpression limit, boolean included) {
        return end(operands.limit(limit), included);
    }

    private RangeEnd low(TimeReader.Time time, TimeKind kind, boolean included) {
        TimeSpan span = times.span(time, kind);
        return new RangeEnd.Whole(included ? span.first() : span.floor(), included);
    }

    private RangeEnd high(TimeReader.Time time, TimeKind kind, boolean included) {
        TimeSpan span = times.span(time, kind);
        return new RangeEnd.Whole(included ? span.last() : span.first(), included);
    }

    private static RangeEnd end(RangeEnd number, boolean included) {
        return switch (number) {
            case RangeEnd.Unbounded unbounded -> unbounded;
            case RangeEnd.Whole(var value, _) -> new RangeEnd.Whole(value, included);
            case RangeEnd.Real(var value, _) -> new RangeEnd.Real(value, included);
        };
    }
}
