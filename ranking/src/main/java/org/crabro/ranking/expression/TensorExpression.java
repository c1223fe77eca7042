package org.crabro.ranking.expression;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.crabro.ranking.tensor.TensorAggregator;
import org.crabro.ranking.tensor.TensorData;
import org.crabro.tensor.CellType;
import org.crabro.tensor.TensorType;

/**
 * An expression of tensors. Operators and scalar functions also apply to tensors, cell by cell.
 * Functions that are compositions of others, such as {@code softmax}, are replaced by those when
 * they are parsed.
 */
public sealed interface TensorExpression extends Expression {
    @Override
    default List<Expression> parts() {
        var parts = new ArrayList<Expression>();
        with(part -> {
            parts.add(part);
            return part;
        });
        return parts;
    }

    /** Returns the same expression with something in the place of each direct part. */
    default TensorExpression with(UnaryOperator<Expression> each) {
        return switch (this) {
            case Variable _, Value _ -> this;
            case Create(TensorType type, List<Cell> cells) -> {
                var others = new ArrayList<Cell>(cells.size());
                for (Cell cell : cells) {
                    others.add(new Cell(cell.labels, each.apply(cell.value)));
                }
                yield new Create(type, others);
            }
            case Generate(TensorType type, Lambda function) ->
                    new Generate(type, function.with(each));
            case Map(Expression tensor, Lambda function) ->
                    new Map(each.apply(tensor), function.with(each));
            case MapSubspaces(Expression tensor, Lambda function) ->
                    new MapSubspaces(each.apply(tensor), function.with(each));
            case FilterSubspaces(Expression tensor, Lambda function) ->
                    new FilterSubspaces(each.apply(tensor), function.with(each));
            case Reduce(Expression tensor, TensorAggregator aggregator, List<String> dimensions) ->
                    new Reduce(each.apply(tensor), aggregator, dimensions);
            case Join(Expression left, Expression right, Lambda function) ->
                    new Join(each.apply(left), each.apply(right), function.with(each));
            case Merge(Expression left, Expression right, Lambda function) ->
                    new Merge(each.apply(left), each.apply(right), function.with(each));
            case Concat(Expression left, Expression right, String dimension) ->
                    new Concat(each.apply(left), each.apply(right), dimension);
            case Rename(Expression tensor, List<String> from, List<String> to) ->
                    new Rename(each.apply(tensor), from, to);
            case Slice(Expression tensor, List<Coordinate> at) -> {
                Expression sliced = each.apply(tensor);
                var others = new ArrayList<Coordinate>(at.size());
                for (Coordinate coordinate : at) {
                    others.add(
                            switch (coordinate) {
                                case Coordinate.Label label -> label;
                                case Coordinate.Computed(String dimension, Expression value) ->
                                        new Coordinate.Computed(dimension, each.apply(value));
                            });
                }
                yield new Slice(sliced, others);
            }
            case Cast(Expression tensor, CellType cells) -> new Cast(each.apply(tensor), cells);
            case Order(Expression tensor, boolean largestFirst) ->
                    new Order(each.apply(tensor), largestFirst);
            case UnpackBits(Expression tensor, CellType cells, boolean bigEndian) ->
                    new UnpackBits(each.apply(tensor), cells, bigEndian);
        };
    }

    /** A variable that a lambda function or a generated tensor binds. */
    record Variable(String name) implements TensorExpression {}

    /** A constant tensor. */
    record Value(TensorData tensor) implements TensorExpression {}

    /**
     * A lambda function.
     *
     * @param parameters the only {@link Variable}s that the body can use
     */
    record Lambda(List<String> parameters, Expression body) {
        public Lambda {
            parameters = List.copyOf(parameters);
        }

        Lambda with(UnaryOperator<Expression> each) {
            return new Lambda(parameters, each.apply(body));
        }
    }

    /**
     * A cell of a tensor that is written out.
     *
     * @param labels one per dimension of the type, in its order
     */
    record Cell(List<String> labels, Expression value) {
        public Cell {
            labels = List.copyOf(labels);
        }
    }

    /** A tensor that is written out. */
    record Create(TensorType type, List<Cell> cells) implements TensorExpression {
        public Create {
            cells = List.copyOf(cells);
        }
    }

    /**
     * A dense tensor whose cells are computed from their coordinates.
     *
     * @param function its parameters are the dimensions of the type, in its order; it can use
     *     variables of enclosing expressions
     */
    record Generate(TensorType type, Lambda function) implements TensorExpression {}

    /** Applies a function to each cell. */
    record Map(Expression tensor, Lambda function) implements TensorExpression {}

    /** Each subspace made another. */
    record MapSubspaces(Expression tensor, Lambda function) implements TensorExpression {}

    /** The subspaces for which a function is not 0. */
    record FilterSubspaces(Expression tensor, Lambda function) implements TensorExpression {}

    /**
     * Combines several cells to one.
     *
     * @param dimensions that are removed; empty means all
     */
    record Reduce(Expression tensor, TensorAggregator aggregator, List<String> dimensions)
            implements TensorExpression {
        public Reduce {
            dimensions = List.copyOf(dimensions);
        }
    }

    /** Applies a function to pairs of cells whose labels agree. */
    record Join(Expression left, Expression right, Lambda function) implements TensorExpression {}

    /** The cells of both tensors; a function combines cells that both have. */
    record Merge(Expression left, Expression right, Lambda function) implements TensorExpression {}

    /** The concatenation of two tensors in a dimension. */
    record Concat(Expression left, Expression right, String dimension)
            implements TensorExpression {}

    /** Renames dimensions. */
    record Rename(Expression tensor, List<String> from, List<String> to)
            implements TensorExpression {
        public Rename {
            from = List.copyOf(from);
            to = List.copyOf(to);
        }
    }

    /** The part of a tensor at some labels. */
    record Slice(Expression tensor, List<Coordinate> at) implements TensorExpression {
        public Slice {
            at = List.copyOf(at);
        }
    }

    /** A label in a dimension. */
    sealed interface Coordinate {
        /** For the one indexed dimension of a tensor, which need not be named. */
        String ONLY_INDEXED = "[]";

        /** For the one mapped dimension of a tensor, or the only one that it has. */
        String ONLY = "";

        /**
         * Returns the dimension, or a placeholder for the only one of its kind if it has no name.
         */
        String dimension();

        /** As it is written. */
        record Label(String dimension, String label) implements Coordinate {}

        /** A number, cut to a whole one. */
        record Computed(String dimension, Expression value) implements Coordinate {}
    }

    /** Cells of another type. */
    record Cast(Expression tensor, CellType cells) implements TensorExpression {}

    /** The place of each cell among all. */
    record Order(Expression tensor, boolean largestFirst) implements TensorExpression {}

    /** The bits of each cell as cells. */
    record UnpackBits(Expression tensor, CellType cells, boolean bigEndian)
            implements TensorExpression {}
}
