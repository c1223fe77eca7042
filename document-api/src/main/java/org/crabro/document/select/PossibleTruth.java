package org.crabro.document.select;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The possible results of a condition for many documents of one type, from the ranges of some
 * numbers, or for one document from its id. It returns too many results rather than too few.
 */
final class PossibleTruth {
    private static final int TRUE = 1;
    private static final int FALSE = 2;
    private static final int INVALID = 4;
    private static final int ANY = TRUE | FALSE | INVALID;

    private static final double SMALL_MAX = 0x1p53;

    /** Beyond this, sums of whole numbers may wrap around. */
    private static final double WHOLE_MAX = 0x1p62;

    /** The units of work of a comparison with the values of a block. */
    private static final int COMPARE_UNITS = 64;

    private final EvaluationContext context;
    private final String documentType;
    private final Function<String, Optional<NumberSpan>> spans;
    private final @Nullable SelectedDocument document;

    /**
     * @param spans by the name of a field; absent for unknown ranges
     * @param document the only document, whose id is used; null for many documents
     */
    PossibleTruth(
            EvaluationContext context,
            String documentType,
            Function<String, Optional<NumberSpan>> spans,
            @Nullable SelectedDocument document) {
        this.context = context;
        this.documentType = documentType;
        this.spans = spans;
        this.document = document;
    }

    /** Returns whether a document may be selected. */
    boolean mayBeTrue(Condition condition) {
        return (of(condition) & TRUE) != 0;
    }

    private int of(Condition condition) {
        return switch (condition) {
            case Condition.Constant(var truth) -> bit(truth);
            case Condition.OfType(var name) -> documentType.equals(name) ? TRUE : FALSE;
            case Condition.Not(var part) -> not(of(part));
            case Condition.And(var parts) -> all(parts, TRUE, FALSE);
            case Condition.Or(var parts) -> all(parts, FALSE, TRUE);
            case Condition.Compare compare -> compare(compare);
        };
    }

    private static int bit(Truth truth) {
        return switch (truth) {
            case TRUE -> TRUE;
            case FALSE -> FALSE;
            case INVALID -> INVALID;
        };
    }

    private static int not(int part) {
        return (part & INVALID)
                | ((part & TRUE) != 0 ? FALSE : 0)
                | ((part & FALSE) != 0 ? TRUE : 0);
    }

    /** Combines conditions: {@code each} if all may have the result, {@code one} if one may. */
    private int all(List<Condition> parts, int each, int one) {
        int all = each;
        int any = 0;
        for (Condition part : parts) {
            int possible = of(part);
            all &= possible;
            any |= possible;
        }
        return all | (any & (one | INVALID));
    }

    private int compare(Condition.Compare compare) {
        context.report(COMPARE_UNITS);
        if (document != null && !hasField(compare.left()) && !hasField(compare.right())) {
            return bit(new Evaluation(document, context).of(compare));
        }
        NumberSpan left = span(compare.left());
        NumberSpan right = span(compare.right());
        if (left == null || right == null || mayBothBeUnset(compare)) {
            return ANY;
        }
        int possible = ANY;
        if (!mayHold(compare.comparison(), left, right)) {
            possible &= ~TRUE;
        }
        boolean areWhole = left.isWhole() && right.isWhole();
        if (areWhole && !mayFail(compare.comparison(), left, right)) {
            possible &= ~FALSE;
        }
        return possible;
    }

    /** Two missing values are equal. */
    private static boolean mayBothBeUnset(Condition.Compare compare) {
        return compare.left() instanceof SelectionExpression.FieldPath
                && compare.right() instanceof SelectionExpression.FieldPath;
    }

    private static boolean mayHold(Comparison comparison, NumberSpan left, NumberSpan right) {
        return switch (comparison) {
            case LESS -> left.min() < right.max();
            case LESS_OR_EQUAL -> left.min() <= right.max();
            case GREATER -> left.max() > right.min();
            case GREATER_OR_EQUAL -> left.max() >= right.min();
            case EQUAL, GLOB -> left.min() <= right.max() && right.min() <= left.max();
            // A missing value differs from a number.
            case NOT_EQUAL, REGEX -> true;
        };
    }

    private static boolean mayFail(Comparison comparison, NumberSpan left, NumberSpan right) {
        return switch (comparison) {
            case LESS -> left.max() >= right.min();
            case LESS_OR_EQUAL -> left.max() > right.min();
            case GREATER -> left.min() <= right.max();
            case GREATER_OR_EQUAL -> left.min() < right.max();
            case NOT_EQUAL -> left.min() <= right.max() && right.min() <= left.max();
            case EQUAL, GLOB, REGEX -> true;
        };
    }

    private static boolean hasField(SelectionExpression expression) {
        return switch (expression) {
            case SelectionExpression.Literal _,
                    SelectionExpression.OfId _,
                    SelectionExpression.Now _ ->
                    false;
            case SelectionExpression.Call(_, var of, _) -> hasField(of);
            case SelectionExpression.Arithmetic(var operands, _, _) -> {
                boolean isAny = false;
                for (SelectionExpression operand : operands) {
                    isAny |= hasField(operand);
                }
                yield isAny;
            }
            // Another path can bind a variable.
            case SelectionExpression.FieldPath _,
                    SelectionExpression.Imported _,
                    SelectionExpression.Variable _ ->
                    true;
        };
    }

    /** Returns the range of an expression's values, or null if it is unknown. */
    private @Nullable NumberSpan span(SelectionExpression expression) {
        return switch (expression) {
            case SelectionExpression.Literal(var value) -> span(value);
            case SelectionExpression.Now() -> NumberSpan.ofWhole(context.now(), context.now());
            case SelectionExpression.FieldPath path ->
                    path.steps().isEmpty() && context.types().isA(documentType, path.documentType())
                            ? spans.apply(path.field()).orElse(null)
                            : null;
            case SelectionExpression.Arithmetic(var operands, var operators, _) ->
                    span(operands, operators);
            case SelectionExpression.Imported _,
                    SelectionExpression.OfId _,
                    SelectionExpression.Variable _,
                    SelectionExpression.Call _ ->
                    null;
        };
    }

    private static @Nullable NumberSpan span(Value value) {
        return switch (value) {
            case Value.Whole(var number) -> NumberSpan.ofWhole(number, number);
            case Value.Real(var number) ->
                    Double.isNaN(number) ? null : NumberSpan.ofReal(number, number);
            default -> null;
        };
    }

    private @Nullable NumberSpan span(
            List<SelectionExpression> operands, List<SelectionExpression.Operator> operators) {
        NumberSpan sum = span(operands.getFirst());
        for (int i = 0; i < operators.size() && sum != null; i++) {
            NumberSpan next = span(operands.get(i + 1));
            sum =
                    next == null
                            ? null
                            : switch (operators.get(i)) {
                                case ADD -> sum(sum, next.min(), next.max(), next.isWhole());
                                case SUBTRACT -> sum(sum, -next.max(), -next.min(), next.isWhole());
                                case MULTIPLY, DIVIDE, REMAINDER -> null;
                            };
        }
        return sum;
    }

    /** Returns whether doubles distinguish all whole numbers of a range. */
    private static boolean areSmall(double min, double max) {
        return min > -SMALL_MAX && max < SMALL_MAX;
    }

    private static @Nullable NumberSpan sum(
            NumberSpan left, double min, double max, boolean isWhole) {
        if (left.min() > left.max() || min > max) {
            return NumberSpan.NONE;
        }
        double low = left.min() + min;
        double high = left.max() + max;
        boolean areSmall =
                left.isWhole()
                        && isWhole
                        && areSmall(left.min(), left.max())
                        && areSmall(min, max)
                        && areSmall(low, high);
        if (!areSmall) {
            low = Math.nextDown(low);
            high = Math.nextUp(high);
        }
        boolean isExact = low > -WHOLE_MAX && high < WHOLE_MAX;
        return isExact ? new NumberSpan(low, high, left.isWhole() && isWhole) : null;
    }
}
