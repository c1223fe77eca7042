package org.crabro.ranking.program;

import java.util.List;
import java.util.Optional;
import java.util.function.DoubleBinaryOperator;
import org.crabro.ranking.expression.BinaryOperator;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.TensorExpression;
import org.crabro.ranking.expression.TensorExpression.Lambda;

/** Functions of one or two cells, as something to call for each. */
final class CellFunctions {
    private CellFunctions() {}

    /**
     * Compiles {@code lambda}. The second operand is ignored if it has one parameter. Empty if it
     * contains tensor expressions.
     */
    static Optional<DoubleBinaryOperator> of(Lambda lambda) {
        return of(lambda.body(), lambda.parameters());
    }

    private static Optional<DoubleBinaryOperator> of(Expression body, List<String> parameters) {
        return switch (body) {
            case Expression.Constant(double value) -> Optional.of((_, _) -> value);
            case Expression.Text(String text) -> {
                double value = StringValue.of(text);
                yield Optional.of((_, _) -> value);
            }
            case TensorExpression.Variable(String name) ->
                    switch (parameters.indexOf(name)) {
                        case 0 -> Optional.of((a, _) -> a);
                        case 1 -> Optional.of((_, b) -> b);
                        default -> Optional.empty();
                    };
            case Expression.Unary(var operator, Expression operand) ->
                    applied(Operation.of(operator), of(operand, parameters), Optional.empty());
            case Expression.Binary(BinaryOperator operator, Expression left, Expression right) -> {
                var first = of(left, parameters);
                var second = of(right, parameters);
                yield first.isEmpty() || second.isEmpty()
                        ? Optional.empty()
                        : Operation.isSwapped(operator)
                                ? applied(Operation.of(operator), second, first)
                                : applied(Operation.of(operator), first, second);
            }
            case Expression.Call(var function, List<Expression> arguments) ->
                    arguments.size() == 1
                            ? applied(
                                    Operation.of(function),
                                    of(arguments.getFirst(), parameters),
                                    Optional.empty())
                            : both(
                                    Operation.of(function),
                                    of(arguments.getFirst(), parameters),
                                    of(arguments.getLast(), parameters));
            case Expression.If(Expression condition, Expression then, Expression otherwise) -> {
                var tested = of(condition, parameters);
                var first = of(then, parameters);
                var second = of(otherwise, parameters);
                yield tested.isEmpty() || first.isEmpty() || second.isEmpty()
                        ? Optional.empty()
                        : Optional.of(choice(tested.get(), first.get(), second.get()));
            }
            default -> Optional.empty();
        };
    }

    private static DoubleBinaryOperator choice(
            DoubleBinaryOperator condition,
            DoubleBinaryOperator then,
            DoubleBinaryOperator otherwise) {
        return (a, b) ->
                condition.applyAsDouble(a, b) != 0
                        ? then.applyAsDouble(a, b)
                        : otherwise.applyAsDouble(a, b);
    }

    private static Optional<DoubleBinaryOperator> both(
            Operation operation,
            Optional<DoubleBinaryOperator> first,
            Optional<DoubleBinaryOperator> second) {
        return first.isEmpty() || second.isEmpty()
                ? Optional.empty()
                : applied(operation, first, second);
    }

    private static Optional<DoubleBinaryOperator> applied(
            Operation operation,
            Optional<DoubleBinaryOperator> first,
            Optional<DoubleBinaryOperator> second) {
        return first.map(one -> {
            DoubleBinaryOperator other = second.orElse(one);
            return (a, b) -> operation.apply(one.applyAsDouble(a, b), other.applyAsDouble(a, b));
        });
    }
}
