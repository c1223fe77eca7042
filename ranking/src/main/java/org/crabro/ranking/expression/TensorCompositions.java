package org.crabro.ranking.expression;

import java.util.List;
import org.crabro.ranking.expression.TensorExpression.FilterSubspaces;
import org.crabro.ranking.expression.TensorExpression.Generate;
import org.crabro.ranking.expression.TensorExpression.Lambda;
import org.crabro.ranking.expression.TensorExpression.Order;
import org.crabro.ranking.expression.TensorExpression.Reduce;
import org.crabro.ranking.expression.TensorExpression.Variable;
import org.crabro.ranking.tensor.TensorAggregator;
import org.crabro.tensor.CellType;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;

/** The tensor functions that are compositions of others. */
final class TensorCompositions {
    private TensorCompositions() {}

    static Expression call(ScalarFunction function, Expression argument) {
        return new Expression.Call(function, List.of(argument));
    }

    private static Expression binary(Expression left, BinaryOperator operator, Expression right) {
        return new Expression.Binary(operator, left, right);
    }

    private static Expression times(Expression left, Expression right) {
        return binary(left, BinaryOperator.MULTIPLY, right);
    }

    private static Expression sum(Expression tensor, String dimension) {
        return new Reduce(tensor, TensorAggregator.SUM, List.of(dimension));
    }

    /**
     * Returns 1 where a cell is the largest or smallest among those it is compared with, else 0.
     */
    static Expression best(
            Expression tensor, TensorAggregator aggregator, List<String> dimensions) {
        return binary(tensor, BinaryOperator.EQUAL, new Reduce(tensor, aggregator, dimensions));
    }

    static Expression sumOfProducts(Expression left, Expression right, String dimension) {
        return sum(times(left, right), dimension);
    }

    static Expression cosineSimilarity(Expression left, Expression right, String dimension) {
        return binary(
                sumOfProducts(left, right, dimension),
                BinaryOperator.DIVIDE,
                call(
                        ScalarFunction.SQRT,
                        times(
                                sumOfProducts(left, left, dimension),
                                sumOfProducts(right, right, dimension))));
    }

    static Expression euclideanDistance(Expression left, Expression right, String dimension) {
        Expression difference = binary(left, BinaryOperator.MINUS, right);
        return call(ScalarFunction.SQRT, sum(call(ScalarFunction.SQUARE, difference), dimension));
    }

    static Expression expand(Expression tensor, String dimension) {
        var one =
                new Generate(
                        new TensorType(CellType.INT8, List.of(new Dimension.Indexed(dimension, 1))),
                        new Lambda(List.of(dimension), new Expression.Constant(1)));
        return times(one, tensor);
    }

    static Expression normalizedBySum(Expression tensor, String dimension) {
        return binary(tensor, BinaryOperator.DIVIDE, sum(tensor, dimension));
    }

    static Expression normalizedByLength(Expression tensor, String dimension) {
        return binary(
                tensor,
                BinaryOperator.DIVIDE,
                call(ScalarFunction.SQRT, sumOfProducts(tensor, tensor, dimension)));
    }

    static Expression top(Expression count, Expression tensor) {
        Expression isFirst = binary(new Order(tensor, true), BinaryOperator.LESS, count);
        return times(
                tensor, new FilterSubspaces(isFirst, new Lambda(List.of("s"), new Variable("s"))));
    }
}
