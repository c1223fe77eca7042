package org.crabro.document.select;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldType;
import org.crabro.document.LocationKey;

/**
 * One selection of one document.
 *
 * <p>Variables: a path with one stands for as many values as the collection has elements. What is
 * compared with them, and the conditions that follow in the same {@code and} or {@code or}, are
 * looked at once for each, where the variable is that element.
 */
final class Evaluation {
    /** Elements of collections, of variables, that are gone through at most for a document. */
    private static final int BINDINGS_MAX = 100_000;

    /** Characters that texts which are put together have at most. */
    private static final int TEXT_MAX = 1 << 20;

    private final SelectedDocument document;
    private final SelectionTypes types;
    private final long now;
    private int bindings;

    Evaluation(SelectedDocument document, SelectionTypes types, long now) {
        this.document = document;
        this.types = types;
        this.now = now;
    }

    /** What a condition comes to where variables are bound. */
    private record Outcome(Bindings bindings, Truth truth) {}

    /** Returns what the condition says; invalid where it goes through too many elements. */
    Truth of(Condition condition) {
        Truth any = Truth.INVALID;
        for (Outcome outcome : outcomes(condition, Bindings.NONE)) {
            any = any.orAny(outcome.truth());
        }
        return bindings > BINDINGS_MAX ? Truth.INVALID : any;
    }

    private List<Outcome> outcomes(Condition condition, Bindings bound) {
        return switch (condition) {
            case Condition.Constant(var truth) -> List.of(new Outcome(bound, truth));
            case Condition.OfType(var name) ->
                    List.of(
                            new Outcome(
                                    bound, Truth.of(document.id().documentType().equals(name))));
            case Condition.Not(var part) ->
                    outcomes(part, bound).stream()
                            .map(each -> new Outcome(each.bindings(), each.truth().not()))
                            .toList();
            case Condition.And(var parts) -> all(parts, bound, Truth.FALSE);
            case Condition.Or(var parts) -> all(parts, bound, Truth.TRUE);
            case Condition.Compare compare -> compare(compare, bound);
        };
    }

    /**
     * Combines conditions.
     *
     * @param end what none that follows can change: false for and, true for or
     */
    private List<Outcome> all(List<Condition> parts, Bindings bound, Truth end) {
        List<Outcome> done = outcomes(parts.getFirst(), bound);
        for (Condition part : parts.subList(1, parts.size())) {
            var next = new ArrayList<Outcome>();
            for (Outcome before : done) {
                if (before.truth() == end) {
                    next.add(before);
                    continue;
                }
                for (Outcome each : outcomes(part, before.bindings())) {
                    Truth truth =
                            end == Truth.FALSE
                                    ? before.truth().and(each.truth())
                                    : before.truth().or(each.truth());
                    next.add(new Outcome(each.bindings(), truth));
                }
            }
            done = next;
        }
        return done;
    }

    private List<Outcome> compare(Condition.Compare compare, Bindings bound) {
        var outcomes = new ArrayList<Outcome>();
        Comparison comparison = compare.comparison();
        if (compare.left() instanceof Expression.Variable) {
            // The other side is what may bind it.
            each(
                    compare.right(),
                    bound,
                    (rightBound, right) ->
                            each(
                                    compare.left(),
                                    rightBound,
                                    (leftBound, left) ->
                                            outcomes.add(
                                                    new Outcome(
                                                            leftBound,
                                                            comparison.compare(left, right)))));
        } else {
            each(
                    compare.left(),
                    bound,
                    (leftBound, left) ->
                            each(
                                    compare.right(),
                                    leftBound,
                                    (rightBound, right) ->
                                            outcomes.add(
                                                    new Outcome(
                                                            rightBound,
                                                            comparison.compare(left, right)))));
        }
        return outcomes;
    }

    /** Gives each value of an expression, with what its variables are bound to there. */
    private void each(Expression expression, Bindings bound, BiConsumer<Bindings, Value> action) {
        switch (expression) {
            case Expression.Literal(var value) -> action.accept(bound, value);
            case Expression.Now() -> action.accept(bound, new Value.Whole(now));
            case Expression.Imported(var type) ->
                    action.accept(
                            bound,
                            types.isA(document.id().documentType(), type)
                                    ? Value.NOTHING
                                    : Value.INVALID);
            case Expression.OfId(var part) -> action.accept(bound, ofId(part));
            case Expression.Variable(var name) -> action.accept(bound, bound.value(name));
            case Expression.FieldPath path -> eachOfPath(path, bound, action);
            case Expression.Call(var function, var of) ->
                    each(
                            of,
                            bound,
                            (ofBound, value) -> action.accept(ofBound, call(function, value)));
            case Expression.Arithmetic arithmetic ->
                    each(
                            arithmetic.operands().getFirst(),
                            bound,
                            (firstBound, first) ->
                                    calculate(arithmetic, 0, firstBound, first, action));
        }
    }

    private void calculate(
            Expression.Arithmetic arithmetic,
            int done,
            Bindings bound,
            Value left,
            BiConsumer<Bindings, Value> action) {
        int operator = done;
        Value value = left;
        // Literals and fields without variables need no call in a call: sums may be long.
        while (operator < arithmetic.operators().size()) {
            Expression operand = arithmetic.operands().get(operator + 1);
            if (hasVariable(operand)) {
                int at = operator;
                Value before = value;
                each(
                        operand,
                        bound,
                        (rightBound, right) ->
                                calculate(
                                        arithmetic,
                                        at + 1,
                                        rightBound,
                                        calculate(arithmetic.operators().get(at), before, right),
                                        action));
                return;
            }
            Value[] right = {Value.INVALID};
            each(operand, bound, (_, only) -> right[0] = only);
            value = calculate(arithmetic.operators().get(operator), value, right[0]);
            operator++;
        }
        action.accept(bound, value);
    }

    static boolean hasVariable(Expression expression) {
        return switch (expression) {
            case Expression.Literal _, Expression.Imported _, Expression.OfId _, Expression.Now _ ->
                    false;
            case Expression.Variable _ -> true;
            case Expression.FieldPath path ->
                    path.steps().stream().anyMatch(PathStep.Each.class::isInstance);
            case Expression.Call(_, var of) -> hasVariable(of);
            case Expression.Arithmetic(var operands, _) ->
                    operands.stream().anyMatch(Evaluation::hasVariable);
        };
    }

    private void eachOfPath(
            Expression.FieldPath path, Bindings bound, BiConsumer<Bindings, Value> action) {
        String type = document.id().documentType();
        if (!types.isA(type, path.documentType())) {
            action.accept(bound, Value.INVALID);
            return;
        }
        FieldType fieldType =
                types.type(path.documentType())
                        .flatMap(known -> known.field(path.field()))
                        .orElseThrow(() -> new IllegalStateException(path + " was not checked"))
                        .type();
        boolean isVaried = hasVariable(path);
        new PathWalk(
                        path.steps(),
                        (at, value) -> {
                            if (isVaried && ++bindings > BINDINGS_MAX) {
                                return;
                            }
                            action.accept(at, value);
                        })
                .walk(document.value(path.field()), fieldType, bound);
    }

    private Value ofId(Expression.IdPart part) {
        DocumentId id = document.id();
        return switch (part) {
            case ALL -> new Value.Text(id.toString());
            case SCHEME -> new Value.Text("id");
            case NAMESPACE -> new Value.Text(id.namespace());
            case TYPE -> new Value.Text(id.documentType());
            case SPECIFIC -> new Value.Text(id.user());
            case USER ->
                    id.key() instanceof LocationKey.Numbered(var number)
                            ? new Value.Whole(number)
                            : Value.INVALID;
            case GROUP ->
                    id.key() instanceof LocationKey.Group(var name)
                            ? new Value.Text(name)
                            : Value.INVALID;
            case BUCKET -> new Value.InBucket(id.globalId().bucket());
            case GID -> new Value.Text(id.globalId().toString());
        };
    }

    private static Value call(Expression.Function function, Value value) {
        return switch (function) {
            case ABS ->
                    switch (value) {
                        case Value.Whole(var number) -> new Value.Whole(Math.abs(number));
                        case Value.Real(var number) -> new Value.Real(Math.abs(number));
                        default -> Value.INVALID;
                    };
            case LOWERCASE ->
                    value instanceof Value.Text(var text)
                            ? new Value.Text(text.toLowerCase(Locale.ROOT))
                            : Value.INVALID;
            case HASH ->
                    switch (value) {
                        case Value.Text(var text) -> hash(text.getBytes(StandardCharsets.UTF_8));
                        case Value.Whole(var number) -> hash(littleEndian(number));
                        case Value.Real(var number) ->
                                hash(littleEndian(Double.doubleToRawLongBits(number)));
                        default -> Value.INVALID;
                    };
        };
    }

    private static byte[] littleEndian(long number) {
        return ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(number)
                .array();
    }

    /** The first eight bytes of the MD5, as a little-endian number with a sign. */
    private static Value hash(byte[] bytes) {
        try {
            byte[] digest = MessageDigest.getInstance("MD5").digest(bytes);
            return new Value.Whole(
                    ByteBuffer.wrap(digest).order(ByteOrder.LITTLE_ENDIAN).getLong());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has MD5", e);
        }
    }

    private static Value calculate(Expression.Operator operator, Value left, Value right) {
        if (left instanceof Value.Whole(var a) && right instanceof Value.Whole(var b)) {
            return whole(operator, a, b);
        }
        if (left instanceof Value.Text(var a) && right instanceof Value.Text(var b)) {
            return operator == Expression.Operator.ADD && a.length() + b.length() <= TEXT_MAX
                    ? new Value.Text(a + b)
                    : Value.INVALID;
        }
        double a = real(left);
        double b = real(right);
        boolean areNumbers = isNumber(left) && isNumber(right);
        return areNumbers ? real(operator, a, b) : Value.INVALID;
    }

    private static boolean isNumber(Value value) {
        return value instanceof Value.Whole || value instanceof Value.Real;
    }

    private static double real(Value value) {
        return switch (value) {
            case Value.Whole(var number) -> number;
            case Value.Real(var number) -> number;
            default -> 0;
        };
    }

    private static Value whole(Expression.Operator operator, long a, long b) {
        return switch (operator) {
            case ADD -> new Value.Whole(a + b);
            case SUBTRACT -> new Value.Whole(a - b);
            case MULTIPLY -> new Value.Whole(a * b);
            case DIVIDE -> b == 0 ? Value.INVALID : new Value.Whole(a / b);
            case REMAINDER -> b == 0 ? Value.INVALID : new Value.Whole(a % b);
        };
    }

    private static Value real(Expression.Operator operator, double a, double b) {
        return switch (operator) {
            case ADD -> new Value.Real(a + b);
            case SUBTRACT -> new Value.Real(a - b);
            case MULTIPLY -> new Value.Real(a * b);
            case DIVIDE -> b == 0 ? Value.INVALID : new Value.Real(a / b);
            case REMAINDER -> Value.INVALID;
        };
    }
}
