package org.crabro.ranking.expression;

import static java.util.stream.Collectors.joining;
import static org.crabro.ranking.expression.ExpressionText.VALUE;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.crabro.ranking.expression.TensorExpression.Cast;
import org.crabro.ranking.expression.TensorExpression.Cell;
import org.crabro.ranking.expression.TensorExpression.Concat;
import org.crabro.ranking.expression.TensorExpression.Coordinate;
import org.crabro.ranking.expression.TensorExpression.Create;
import org.crabro.ranking.expression.TensorExpression.FilterSubspaces;
import org.crabro.ranking.expression.TensorExpression.Generate;
import org.crabro.ranking.expression.TensorExpression.Join;
import org.crabro.ranking.expression.TensorExpression.Lambda;
import org.crabro.ranking.expression.TensorExpression.Map;
import org.crabro.ranking.expression.TensorExpression.MapSubspaces;
import org.crabro.ranking.expression.TensorExpression.Merge;
import org.crabro.ranking.expression.TensorExpression.Order;
import org.crabro.ranking.expression.TensorExpression.Reduce;
import org.crabro.ranking.expression.TensorExpression.Rename;
import org.crabro.ranking.expression.TensorExpression.Slice;
import org.crabro.ranking.expression.TensorExpression.UnpackBits;
import org.crabro.ranking.expression.TensorExpression.Value;
import org.crabro.ranking.expression.TensorExpression.Variable;
import org.crabro.ranking.tensor.TensorData;
import org.crabro.tensor.CellType;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;

/** Writes expressions of tensors as text that reads back as the same. */
final class TensorExpressionText {
    private TensorExpressionText() {}

    static String of(TensorExpression expression) {
        return switch (expression) {
            case Variable(String name) -> name;
            case Value(TensorData tensor) -> tensor.toString();
            case Create(TensorType type, List<Cell> cells) ->
                    cells.stream()
                            .map(cell -> cell(type, cell))
                            .collect(joining(", ", type + ":{", "}"));
            case Generate(TensorType type, Lambda function) ->
                    type + "(" + ExpressionText.of(function.body()) + ")";
            case Map(Expression tensor, Lambda function) ->
                    "map(" + ExpressionText.of(tensor) + ", " + lambda(function) + ")";
            case MapSubspaces(Expression tensor, Lambda function) ->
                    "map_subspaces(" + ExpressionText.of(tensor) + ", " + lambda(function) + ")";
            case FilterSubspaces(Expression tensor, Lambda function) ->
                    "filter_subspaces(" + ExpressionText.of(tensor) + ", " + lambda(function) + ")";
            case Reduce(Expression tensor, var aggregator, List<String> dimensions) -> {
                var arguments =
                        new ArrayList<>(List.of(ExpressionText.of(tensor), aggregator + ""));
                arguments.addAll(dimensions);
                yield "reduce(" + String.join(", ", arguments) + ")";
            }
            case Join(Expression left, Expression right, Lambda function) ->
                    "join("
                            + ExpressionText.list(List.of(left, right))
                            + ", "
                            + lambda(function)
                            + ")";
            case Merge(Expression left, Expression right, Lambda function) ->
                    "merge("
                            + ExpressionText.list(List.of(left, right))
                            + ", "
                            + lambda(function)
                            + ")";
            case Concat(Expression left, Expression right, String dimension) ->
                    "concat(" + ExpressionText.list(List.of(left, right)) + ", " + dimension + ")";
            case Rename(Expression tensor, List<String> from, List<String> to) ->
                    "rename(%s, (%s), (%s))"
                            .formatted(
                                    ExpressionText.of(tensor),
                                    String.join(", ", from),
                                    String.join(", ", to));
            case Slice(Expression tensor, List<Coordinate> at) -> slice(tensor, at);
            case Cast(Expression tensor, CellType cells) ->
                    "cell_cast(" + ExpressionText.of(tensor) + ", " + name(cells) + ")";
            case Order(Expression tensor, boolean largestFirst) ->
                    "cell_order(%s, %s)"
                            .formatted(ExpressionText.of(tensor), largestFirst ? "max" : "min");
            case UnpackBits(Expression tensor, CellType cells, boolean bigEndian) ->
                    "unpack_bits(%s, %s, %s)"
                            .formatted(
                                    ExpressionText.of(tensor),
                                    name(cells),
                                    bigEndian ? "big" : "little");
        };
    }

    private static String cell(TensorType type, Cell cell) {
        var address = new ArrayList<String>();
        for (int i = 0; i < cell.labels().size(); i++) {
            Dimension dimension = type.dimensions().get(i);
            address.add(dimension.name() + ":" + ExpressionText.quoted(cell.labels().get(i)));
        }
        return address.isEmpty()
                ? ExpressionText.of(cell.value())
                : "{" + String.join(",", address) + "}:" + ExpressionText.of(cell.value());
    }

    private static String lambda(Lambda function) {
        return "f(%s)(%s)"
                .formatted(
                        String.join(",", function.parameters()),
                        ExpressionText.of(function.body()));
    }

    private static String slice(Expression tensor, List<Coordinate> at) {
        String sliced = ExpressionText.within(tensor, VALUE);
        if (tensor instanceof Expression.Unary) {
            sliced = "(" + sliced + ")";
        }
        Coordinate first = at.getFirst();
        if (first.dimension().equals(Coordinate.ONLY_INDEXED)) {
            return sliced + "[" + place(first, false) + "]";
        }
        if (first.dimension().equals(Coordinate.ONLY)) {
            return sliced + "{" + place(first, true) + "}";
        }
        return at.stream()
                .map(each -> each.dimension() + ":" + place(each, true))
                .collect(joining(", ", sliced + "{", "}"));
    }

    private static String place(Coordinate coordinate, boolean inParentheses) {
        return switch (coordinate) {
            case Coordinate.Label(_, String label) -> ExpressionText.quoted(label);
            case Coordinate.Computed(_, Expression value) ->
                    inParentheses ? "(" + ExpressionText.of(value) + ")" : ExpressionText.of(value);
        };
    }

    private static String name(CellType cells) {
        return cells.name().toLowerCase(Locale.ROOT);
    }
}
