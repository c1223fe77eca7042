package org.crabro.document.select;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.document.LocationKey;

/**
 * Evaluates a selection for one document.
 *
 * <p>A path with a variable has one value for each element of the collection. Its comparison, and
 * the conditions that follow in the same {@code and} or {@code or}, are evaluated once for each
 * element, to which the variable is bound.
 */
final class Evaluation {
    /** The units of work of a condition, or of an element that a variable is bound to. */
    private static final int CONDITION_UNITS = 16;

    /** The maximum number of collection elements that variables are bound to for one document. */
    private static final int BINDINGS_MAX = 100_000;

    /** The maximum number of characters of a concatenated text. */
    private static final int TEXT_MAX = 1 << 20;

    private final SelectedDocument document;
    private final EvaluationContext context;
    private int bindings;

    Evaluation(SelectedDocument document, EvaluationContext context) {
        this.document = document;
        this.context = context;
    }

    /** The result of a condition with bound variables. */
    private record Outcome(Bindings bindings, Truth truth) {}

    /** Returns the result of the condition; invalid if it visits too many elements. */
    Truth of(Condition condition) {
        if (!condition.hasVariable()) {
            return only(condition);
        }
        Truth any = Truth.INVALID;
        for (Outcome outcome : outcomes(condition, Bindings.NONE)) {
            any = any.orAny(outcome.truth());
        }
        return bindings > BINDINGS_MAX ? Truth.INVALID : any;
    }

    /** Returns the result of a condition without variables. */
    private Truth only(Condition condition) {
        context.report(CONDITION_UNITS);
        return switch (condition) {
            case Condition.Constant(var truth) -> truth;
            case Condition.OfType(var name) -> Truth.of(document.id().documentType().equals(name));
            case Condition.Not(var part) -> only(part).not();
            case Condition.And(var parts) -> {
                Truth all = Truth.TRUE;
                for (int i = 0; i < parts.size() && all != Truth.FALSE; i++) {
                    all = all.and(only(parts.get(i)));
                }
                yield all;
            }
            case Condition.Or(var parts) -> {
                Truth any = Truth.FALSE;
                for (int i = 0; i < parts.size() && any != Truth.TRUE; i++) {
                    any = any.or(only(parts.get(i)));
                }
                yield any;
            }
            case Condition.Compare(var comparison, var left, var right) ->
                    comparison.compare(only(left), only(right), context);
        };
    }

    private List<Outcome> outcomes(Condition condition, Bindings bound) {
        context.report(CONDITION_UNITS);
        return switch (condition) {
            case Condition.Constant(var truth) -> List.of(new Outcome(bound, truth));
            case Condition.OfType(var name) ->
                    List.of(
                            new Outcome(
                                    bound, Truth.of(document.id().documentType().equals(name))));
            case Condition.Not(var part) -> not(outcomes(part, bound));
            case Condition.And(var parts) -> all(parts, bound, Truth.FALSE);
            case Condition.Or(var parts) -> all(parts, bound, Truth.TRUE);
            case Condition.Compare compare -> compare(compare, bound);
        };
    }

    private static List<Outcome> not(List<Outcome> outcomes) {
        return outcomes.stream()
                .map(each -> new Outcome(each.bindings(), each.truth().not()))
                .toList();
    }

    /**
     * Combines conditions.
     *
     * @param end the result that no later condition can change: false for and, true for or
     */
    private List<Outcome> all(List<Condition> parts, Bindings bound, Truth end) {
        List<Outcome> done = outcomes(parts.getFirst(), bound);
        for (Condition part : parts.subList(1, parts.size())) {
            var next = new ArrayList<Outcome>();
            context.report((long) CONDITION_UNITS * done.size());
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
        // If a variable is on the left, the right side may bind it.
        boolean isTurned = compare.left() instanceof SelectionExpression.Variable;
        SelectionExpression first = isTurned ? compare.right() : compare.left();
        SelectionExpression second = isTurned ? compare.left() : compare.right();
        var outcomes = new ArrayList<Outcome>();
        for (Bound a : values(first, bound)) {
            for (Bound b : values(second, a.bindings())) {
                Value left = isTurned ? b.value() : a.value();
                Value right = isTurned ? a.value() : b.value();
                outcomes.add(
                        new Outcome(
                                b.bindings(), compare.comparison().compare(left, right, context)));
            }
        }
        return outcomes;
    }

    /** A value with the bindings of its variables. */
    private record Bound(Bindings bindings, Value value) {
        /** Returns the result of an operator on another value and this one. */
        Bound with(SelectionExpression.Operator operator, Value left) {
            return new Bound(bindings, calculate(operator, left, value));
        }
    }

    /** Returns each value of an expression, with the bindings of its variables. */
    private List<Bound> values(SelectionExpression expression, Bindings bound) {
        if (!expression.hasVariable()) {
            return List.of(new Bound(bound, only(expression)));
        }
        return switch (expression) {
            case SelectionExpression.Literal _,
                    SelectionExpression.Now _,
                    SelectionExpression.Imported _,
                    SelectionExpression.OfId _ ->
                    throw new IllegalStateException("no variable is in " + expression);
            case SelectionExpression.Variable(var name) ->
                    List.of(new Bound(bound, bound.value(name)));
            case SelectionExpression.FieldPath path -> {
                var values = new ArrayList<Bound>();
                eachOfPath(path, bound, (at, value) -> values.add(new Bound(at, value)));
                yield values;
            }
            case SelectionExpression.Call(var function, var of, _) -> {
                var values = new ArrayList<Bound>();
                for (Bound each : values(of, bound)) {
                    values.add(new Bound(each.bindings(), call(function, each.value())));
                }
                yield values;
            }
            case SelectionExpression.Arithmetic(var operands, var operators, _) -> {
                List<Bound> done = values(operands.getFirst(), bound);
                for (int i = 0; i < operators.size(); i++) {
                    var next = new ArrayList<Bound>();
                    for (Bound left : done) {
                        for (Bound right : values(operands.get(i + 1), left.bindings())) {
                            next.add(right.with(operators.get(i), left.value()));
                        }
                    }
                    done = next;
                }
                yield done;
            }
        };
    }

    /** Returns the value of an expression without variables. */
    private Value only(SelectionExpression expression) {
        return switch (expression) {
            case SelectionExpression.Literal(var value) -> value;
            case SelectionExpression.Now() -> new Value.Whole(context.now());
            case SelectionExpression.Imported(var type) ->
                    context.types().isA(document.id().documentType(), type)
                            ? Value.NOTHING
                            : Value.INVALID;
            case SelectionExpression.OfId(var part) -> ofId(part);
            case SelectionExpression.FieldPath path -> ofPath(path);
            case SelectionExpression.Call(var function, var of, _) -> call(function, only(of));
            case SelectionExpression.Arithmetic arithmetic -> calculate(arithmetic);
            case SelectionExpression.Variable _ ->
                    throw new IllegalStateException("a variable: " + expression);
        };
    }

    private Value ofPath(SelectionExpression.FieldPath path) {
        Value[] only = {Value.INVALID};
        eachOfPath(path, Bindings.NONE, (_, value) -> only[0] = value);
        return only[0];
    }

    private Value calculate(SelectionExpression.Arithmetic arithmetic) {
        List<SelectionExpression> operands = arithmetic.operands();
        Value value = only(operands.getFirst());
        for (int i = 1; i < operands.size(); i++) {
            value = calculate(arithmetic.operators().get(i - 1), value, only(operands.get(i)));
        }
        return value;
    }

    private void eachOfPath(
            SelectionExpression.FieldPath path,
            Bindings bound,
            BiConsumer<Bindings, Value> action) {
        String type = document.id().documentType();
        SelectionTypes types = context.types();
        if (!types.isA(type, path.documentType())) {
            action.accept(bound, Value.INVALID);
            return;
        }
        FieldType fieldType =
                types.type(path.documentType())
                        .flatMap(documentType -> documentType.field(path.field()))
                        .orElseThrow(() -> new IllegalStateException(path + " was not checked"))
                        .type();
        boolean isVaried = path.hasVariable();
        Optional<FieldValue> whole = document.value(path.field());
        whole.ifPresent(value -> context.report(ValueUnits.of(value)));
        new PathWalk(
                        path.steps(),
                        (at, value) -> {
                            context.report(CONDITION_UNITS);
                            if (isVaried && ++bindings > BINDINGS_MAX) {
                                return;
                            }
                            action.accept(at, value);
                        })
                .walk(whole, fieldType, bound);
    }

    private Value ofId(SelectionExpression.IdPart part) {
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

    private Value call(SelectionExpression.Function function, Value value) {
        if (value instanceof Value.Text(var text)) {
            context.report(text.length());
        }
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

    /** The first eight bytes of the MD5, as a signed little-endian number. */
    private static Value hash(byte[] bytes) {
        try {
            byte[] digest = MessageDigest.getInstance("MD5").digest(bytes);
            return new Value.Whole(
                    ByteBuffer.wrap(digest).order(ByteOrder.LITTLE_ENDIAN).getLong());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has MD5", e);
        }
    }

    private static Value calculate(SelectionExpression.Operator operator, Value left, Value right) {
        if (left instanceof Value.Whole(var a) && right instanceof Value.Whole(var b)) {
            return whole(operator, a, b);
        }
        if (left instanceof Value.Text(var a) && right instanceof Value.Text(var b)) {
            return operator == SelectionExpression.Operator.ADD
                            && a.length() + b.length() <= TEXT_MAX
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

    private static Value whole(SelectionExpression.Operator operator, long a, long b) {
        return switch (operator) {
            case ADD -> new Value.Whole(a + b);
            case SUBTRACT -> new Value.Whole(a - b);
            case MULTIPLY -> new Value.Whole(a * b);
            case DIVIDE -> b == 0 ? Value.INVALID : new Value.Whole(a / b);
            case REMAINDER -> b == 0 ? Value.INVALID : new Value.Whole(a % b);
        };
    }

    private static Value real(SelectionExpression.Operator operator, double a, double b) {
        return switch (operator) {
            case ADD -> new Value.Real(a + b);
            case SUBTRACT -> new Value.Real(a - b);
            case MULTIPLY -> new Value.Real(a * b);
            case DIVIDE -> b == 0 ? Value.INVALID : new Value.Real(a / b);
            case REMAINDER -> Value.INVALID;
        };
    }
}
