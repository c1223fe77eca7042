package org.crabro.document.select;

import java.util.List;
import java.util.Optional;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.time.TimeKind;
import org.crabro.document.time.TimeParts;
import org.crabro.document.time.TimeSpan;

/**
 * A comparison of a field of times with a text or with {@code now()}. The text becomes the numbers
 * that it names in the unit of the field, as in queries.
 */
final class TimeComparison {
    private final TimeKind kind;
    private final SelectionExpression field;

    /** Whether the path leads to several values. */
    private final boolean isMany;

    private TimeComparison(TimeKind kind, SelectionExpression field, boolean isMany) {
        this.kind = kind;
        this.field = field;
        this.isMany = isMany;
    }

    /** A text that cannot be compared with the field. */
    static final class UnfitException extends RuntimeException {
        private static final long serialVersionUID = 1;

        UnfitException(String message) {
            super(message);
        }
    }

    /** Returns the comparison with a field; empty if its values are no times. */
    static Optional<TimeComparison> of(SelectionExpression side, SelectionTypes types) {
        if (!(side instanceof SelectionExpression.FieldPath path)) {
            return Optional.empty();
        }
        Optional<Field> field =
                types.type(path.documentType()).flatMap(type -> type.field(path.field()));
        TimeParts times = types.times(path.documentType(), path.field());
        if (field.isEmpty() || times.isEmpty()) {
            return Optional.empty();
        }
        FieldType at = field.get().type();
        boolean isMany = false;
        for (PathStep step : path.steps()) {
            if (step instanceof PathStep.Keys) {
                return Optional.empty();
            }
            if (at instanceof FieldType.MapOf(_, var value)) {
                times = times.part("value");
                at = value;
                isMany |= step instanceof PathStep.Values;
            } else if (step instanceof PathStep.Member(String name)) {
                times = times.part(name);
                isMany |= at instanceof FieldType.ArrayOf;
                at = member(at, name);
            } else if (at instanceof FieldType.ArrayOf(var element)) {
                at = element;
            } else {
                // The weight of an element.
                return Optional.empty();
            }
        }
        boolean isList = isMany || at instanceof FieldType.ArrayOf;
        return times.kind().map(kind -> new TimeComparison(kind, path, isList));
    }

    private static FieldType member(FieldType of, String name) {
        FieldType inner = of instanceof FieldType.ArrayOf(var element) ? element : of;
        if (inner instanceof FieldType.StructOf struct && struct.field(name).isPresent()) {
            return struct.field(name).get().type();
        }
        throw new IllegalStateException("no member " + name + " in " + of.text());
    }

    /**
     * Returns the comparison of the field with the other side; empty if that is no time.
     *
     * @param comparison with the field on the left
     * @throws UnfitException if it is a text that is no time
     */
    Optional<Condition> with(Comparison comparison, SelectionExpression other) {
        if (other instanceof SelectionExpression.Literal(Value.Text(String text))
                && comparison != Comparison.REGEX) {
            return Optional.of(withText(comparison, text));
        }
        return kind.perSecond() != 1 && isNow(other)
                ? Optional.of(new Condition.Compare(comparison, field, inUnits(other)))
                : Optional.empty();
    }

    /** Returns whether an expression is {@code now()}, perhaps with periods added. */
    private static boolean isNow(SelectionExpression other) {
        return switch (other) {
            case SelectionExpression.Now() -> true;
            case SelectionExpression.Arithmetic(var operands, var operators, _) ->
                    operands.getFirst() instanceof SelectionExpression.Now
                            && operands.stream()
                                    .skip(1)
                                    .allMatch(each ->
                                            each
                                                    instanceof
                                                    SelectionExpression.Literal(Value.Whole _))
                            && operators.stream()
                                    .allMatch(each ->
                                            each == SelectionExpression.Operator.ADD
                                                    || each
                                                            == SelectionExpression.Operator
                                                                    .SUBTRACT);
            default -> false;
        };
    }

    private SelectionExpression inUnits(SelectionExpression seconds) {
        return new SelectionExpression.Arithmetic(
                List.of(seconds, number(kind.perSecond())),
                List.of(SelectionExpression.Operator.MULTIPLY));
    }

    private static SelectionExpression number(long number) {
        return new SelectionExpression.Literal(new Value.Whole(number));
    }

    private Condition withText(Comparison comparison, String text) {
        if (text.strip().startsWith("now")) {
            throw new UnfitException("Expected now() without quotes, such as now() - 7d");
        }
        TimeSpan span = kind.span(text, 0);
        return switch (comparison) {
            case LESS -> compare(Comparison.LESS, span.first());
            case LESS_OR_EQUAL -> compare(Comparison.LESS_OR_EQUAL, span.last());
            case GREATER -> compare(Comparison.GREATER, span.floor());
            case GREATER_OR_EQUAL -> compare(Comparison.GREATER_OR_EQUAL, span.first());
            case NOT_EQUAL -> new Condition.Not(within(span));
            case EQUAL, GLOB -> within(span);
            case REGEX -> throw new IllegalStateException("a pattern is no time");
        };
    }

    /** A missing value is not equal, as with numbers. */
    private Condition within(TimeSpan span) {
        if (span.first() == span.last()) {
            return compare(Comparison.EQUAL, span.first());
        }
        if (span.first() > span.last()) {
            return new Condition.Constant(Truth.FALSE);
        }
        if (isMany) {
            throw new UnfitException(
                    "Expected a time with seconds, such as 2024-05-01T10:00:00Z, since the field"
                            + " has several values; '<' and '>' take days and months");
        }
        return new Condition.And(
                List.of(
                        new Condition.Compare(
                                Comparison.NOT_EQUAL,
                                field,
                                new SelectionExpression.Literal(Value.NOTHING)),
                        compare(Comparison.GREATER_OR_EQUAL, span.first()),
                        compare(Comparison.LESS_OR_EQUAL, span.last())));
    }

    private Condition compare(Comparison comparison, long number) {
        return new Condition.Compare(comparison, field, number(number));
    }
}
