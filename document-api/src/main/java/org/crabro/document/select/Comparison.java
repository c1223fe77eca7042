package org.crabro.document.select;

import java.util.List;
import org.crabro.document.select.NumberProgram.Result.Kind;
import org.crabro.text.Glob;
import org.crabro.text.WorkedText;

/** A comparison of two values. */
enum Comparison {
    EQUAL("=="),
    NOT_EQUAL("!="),
    LESS("<"),
    LESS_OR_EQUAL("<="),
    GREATER(">"),
    GREATER_OR_EQUAL(">="),
    /** With a text on the right, {@code *} matches any characters and {@code ?} matches one. */
    GLOB("="),
    /** A match within the left text, in time linear in its length. */
    REGEX("=~");

    /** The number of characters compared in one unit of work. */
    private static final int CHARS_PER_UNIT = 16;

    private final String text;

    Comparison(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }

    /** Returns the comparison with the same result for swapped sides. */
    Comparison swapped() {
        return switch (this) {
            case LESS -> GREATER;
            case LESS_OR_EQUAL -> GREATER_OR_EQUAL;
            case GREATER -> LESS;
            case GREATER_OR_EQUAL -> LESS_OR_EQUAL;
            case EQUAL, NOT_EQUAL, GLOB, REGEX -> this;
        };
    }

    /**
     * Compares values.
     *
     * @param context receives the work
     */
    Truth compare(Value left, Value right, EvaluationContext context) {
        context.report(1);
        if (left instanceof Value.Invalid || right instanceof Value.Invalid) {
            return Truth.INVALID;
        }
        if (left instanceof Value.Many(var lefts)) {
            return right instanceof Value.Many(var rights)
                    ? compareAll(lefts, rights, context)
                    : compareAny(lefts, right, context);
        }
        if (right instanceof Value.Many(var rights)) {
            return this == GLOB || this == REGEX
                    ? Truth.INVALID
                    : swapped().compareAny(rights, left, context);
        }
        return switch (this) {
            case EQUAL -> equal(left, right, context);
            case NOT_EQUAL -> equal(left, right, context).not();
            case GLOB ->
                    right instanceof Value.Text(var pattern)
                            ? glob(left, pattern, context)
                            : equal(left, right, context);
            case REGEX -> regex(left, right, context);
            case LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL -> ordered(left, right, context);
        };
    }

    /** Returns the result for two numbers or two texts from their order. */
    Truth ofOrder(int order) {
        return switch (this) {
            case EQUAL, GLOB -> Truth.of(order == 0);
            case NOT_EQUAL -> Truth.of(order != 0);
            case LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL -> holds(order);
            case REGEX -> Truth.INVALID;
        };
    }

    /** Compares numbers or NaN, as {@link #compare(Value, Value, EvaluationContext)} does. */
    Truth compare(NumberProgram.Result left, NumberProgram.Result right) {
        if (left.kind() == Kind.INVALID || right.kind() == Kind.INVALID) {
            return Truth.INVALID;
        }
        if (left.kind() == Kind.WHOLE && right.kind() == Kind.WHOLE) {
            return ofOrder(Long.compare(left.whole(), right.whole()));
        }
        boolean areNumbers = left.isNumber() && right.isNumber();
        return switch (this) {
            case EQUAL, GLOB -> equal(left, right, areNumbers);
            case NOT_EQUAL -> equal(left, right, areNumbers).not();
            case REGEX -> Truth.INVALID;
            case LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL ->
                    areNumbers ? ordered(left.real(), right.real()) : Truth.INVALID;
        };
    }

    private static Truth equal(
            NumberProgram.Result left, NumberProgram.Result right, boolean areNumbers) {
        return Truth.of(areNumbers ? left.real() == right.real() : left.kind() == right.kind());
    }

    private Truth compareAny(List<Value> lefts, Value right, EvaluationContext context) {
        Truth any = Truth.INVALID;
        for (Value left : lefts) {
            any = any.orAny(compare(left, right, context));
            if (any == Truth.TRUE) {
                break;
            }
        }
        return any;
    }

    /** Collections are equal if their elements are equal, one by one. */
    private Truth compareAll(List<Value> lefts, List<Value> rights, EvaluationContext context) {
        if (this != EQUAL && this != NOT_EQUAL) {
            return Truth.INVALID;
        }
        Truth all = Truth.of(lefts.size() == rights.size());
        for (int i = 0; i < lefts.size() && all == Truth.TRUE; i++) {
            all = EQUAL.compare(lefts.get(i), rights.get(i), context);
        }
        return this == EQUAL ? all : all.not();
    }

    private static Truth equal(Value left, Value right, EvaluationContext context) {
        if (left instanceof Value.Nothing || right instanceof Value.Nothing) {
            return Truth.of(left instanceof Value.Nothing && right instanceof Value.Nothing);
        }
        if (left instanceof Value.InBucket(var bucket)) {
            return isIn(bucket, right);
        }
        if (right instanceof Value.InBucket(var bucket)) {
            return isIn(bucket, left);
        }
        if (left instanceof Value.Whole(var a) && right instanceof Value.Whole(var b)) {
            return Truth.of(a == b);
        }
        if (left instanceof Value.Text(var a) && right instanceof Value.Text(var b)) {
            context.report(a.length() / CHARS_PER_UNIT);
            return Truth.of(a.equals(b));
        }
        return isNumber(left) && isNumber(right)
                ? Truth.of(real(left) == real(right))
                : Truth.INVALID;
    }

    private static Truth isIn(long bucket, Value other) {
        return switch (other) {
            case Value.Whole(var outer) -> Truth.of(Buckets.contains(outer, bucket));
            case Value.Text(var text) ->
                    Buckets.parse(text).isPresent()
                            ? Truth.of(Buckets.contains(Buckets.parse(text).getAsLong(), bucket))
                            : Truth.INVALID;
            case Value.InBucket(var same) -> Truth.of(bucket == same);
            default -> Truth.INVALID;
        };
    }

    private Truth ordered(Value left, Value right, EvaluationContext context) {
        if (left instanceof Value.Text(var a) && right instanceof Value.Text(var b)) {
            context.report(Math.min(a.length(), b.length()));
            return holds(compareBytes(a, b));
        }
        if (left instanceof Value.Whole(var a) && right instanceof Value.Whole(var b)) {
            return holds(Long.compare(a, b));
        }
        if (!isNumber(left) || !isNumber(right)) {
            return Truth.INVALID;
        }
        return ordered(real(left), real(right));
    }

    private Truth ordered(double a, double b) {
        // No value is less or greater than NaN.
        return Double.isNaN(a) || Double.isNaN(b) ? Truth.FALSE : holds(a < b ? -1 : a > b ? 1 : 0);
    }

    private Truth holds(int order) {
        return Truth.of(
                switch (this) {
                    case LESS -> order < 0;
                    case LESS_OR_EQUAL -> order <= 0;
                    case GREATER -> order > 0;
                    case GREATER_OR_EQUAL -> order >= 0;
                    case EQUAL, NOT_EQUAL, GLOB, REGEX -> throw new IllegalStateException(text);
                });
    }

    /**
     * Compares by UTF-8 bytes, which is the order of code points and not that of Java's characters.
     */
    private static int compareBytes(String a, String b) {
        int length = Math.min(a.length(), b.length());
        for (int i = 0; i < length; i++) {
            char x = a.charAt(i);
            char y = b.charAt(i);
            if (x != y) {
                boolean isPairX = Character.isSurrogate(x);
                return isPairX == Character.isSurrogate(y) ? x - y : isPairX ? 1 : -1;
            }
        }
        return a.length() - b.length();
    }

    private static boolean isNumber(Value value) {
        return value instanceof Value.Whole || value instanceof Value.Real;
    }

    private static double real(Value value) {
        return switch (value) {
            case Value.Whole(var number) -> number;
            case Value.Real(var number) -> number;
            default -> throw new IllegalStateException(value + " is no number");
        };
    }

    private static Truth glob(Value left, String pattern, EvaluationContext context) {
        return left instanceof Value.Text(var text)
                ? Truth.of(Glob.of(pattern).matches(text, context.work()))
                : Truth.INVALID;
    }

    private static Truth regex(Value left, Value right, EvaluationContext context) {
        return left instanceof Value.Text(var text) && right instanceof Value.Regex(var pattern)
                ? Truth.of(
                        pattern.matcher(new WorkedText(text, context.work(), pattern.programSize()))
                                .find())
                : Truth.INVALID;
    }
}
