package org.crabro.ranking.program;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.DoubleBinaryOperator;
import java.util.function.Function;
import java.util.function.IntConsumer;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.TensorExpression;
import org.crabro.ranking.expression.TensorExpression.Cell;
import org.crabro.ranking.expression.TensorExpression.Coordinate;
import org.crabro.ranking.expression.TensorExpression.Lambda;
import org.crabro.ranking.tensor.Concat;
import org.crabro.ranking.tensor.Join;
import org.crabro.ranking.tensor.Rearrangement;
import org.crabro.ranking.tensor.Reduction;
import org.crabro.ranking.tensor.TensorAggregator;
import org.crabro.ranking.tensor.TensorBuilder;
import org.crabro.ranking.tensor.TensorData;
import org.crabro.ranking.tensor.TensorTypes;
import org.crabro.ranking.tensor.TensorWork;
import org.crabro.ranking.type.ExpressionTypes;
import org.crabro.tensor.CellType;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;

/** Compiles tensor functions to steps. */
final class TensorSteps {
    /** The units of work of a program that is started for one subspace. */
    private static final int PROGRAM_UNITS = 512;

    private final StepCompiler compiler;
    private final boolean isFast;
    private final FastPaths paths;

    /**
     * @param isFast whether fast paths without intermediate tensors are used
     */
    TensorSteps(StepCompiler compiler, boolean isFast) {
        this.compiler = compiler;
        this.isFast = isFast;
        this.paths =
                new FastPaths(compiler::type, step -> Optional.ofNullable(compiler.constant(step)));
    }

    boolean isFast() {
        return isFast;
    }

    /** The identity of an operation: its name, its arguments, and the types of its operands. */
    private record Key(String name, List<Object> given) {
        Key(String name, Object... given) {
            this(name, List.of(given));
        }
    }

    int add(TensorExpression expression) {
        return switch (expression) {
            case TensorExpression.Variable _ ->
                    throw new IllegalStateException("a variable is read: " + expression);
            case TensorExpression.Value(TensorData tensor) -> compiler.tensor(tensor);
            case TensorExpression.Create(TensorType type, List<Cell> cells) -> create(type, cells);
            case TensorExpression.Generate(TensorType type, Lambda function) ->
                    generate(type, function);
            case TensorExpression.Map(Expression tensor, Lambda function) ->
                    map(compiler.add(tensor), function);
            case TensorExpression.MapSubspaces(Expression tensor, Lambda function) ->
                    mapSubspaces(compiler.add(tensor), function);
            case TensorExpression.FilterSubspaces(Expression tensor, Lambda function) ->
                    filterSubspaces(compiler.add(tensor), function);
            case TensorExpression.Reduce(
                            Expression tensor,
                            TensorAggregator aggregator,
                            List<String> dimensions) ->
                    reduce(compiler.add(tensor), aggregator, dimensions);
            case TensorExpression.Join(Expression left, Expression right, Lambda function) ->
                    join(compiler.add(left), compiler.add(right), function);
            case TensorExpression.Merge(Expression left, Expression right, Lambda function) ->
                    merge(compiler.add(left), compiler.add(right), function);
            case TensorExpression.Concat(Expression left, Expression right, String dimension) ->
                    concat(compiler.add(left), compiler.add(right), dimension);
            case TensorExpression.Rename(Expression tensor, List<String> from, List<String> to) -> {
                int operand = compiler.add(tensor);
                yield unary(
                        new Key("rename", from, to),
                        TensorTypes.rename(compiler.type(operand), from, to),
                        operand,
                        (given, work) -> Rearrangement.rename(given, from, to, work));
            }
            case TensorExpression.Slice slice -> slice(slice, compiler.add(slice.tensor()));
            case TensorExpression.Cast(Expression tensor, CellType cells) -> {
                int operand = compiler.add(tensor);
                TensorType type = TensorTypes.cast(compiler.type(operand), cells);
                yield unary(
                        new Key("cast", cells),
                        type,
                        operand,
                        (given, work) -> {
                            work.accept(given.cells().length);
                            return given.as(type);
                        });
            }
            case TensorExpression.Order(Expression tensor, boolean largestFirst) -> {
                int operand = compiler.add(tensor);
                yield unary(
                        new Key("order", largestFirst),
                        TensorTypes.map(compiler.type(operand)),
                        operand,
                        (given, work) -> Rearrangement.order(given, largestFirst, work));
            }
            case TensorExpression.UnpackBits(
                            Expression tensor,
                            CellType cells,
                            boolean bigEndian) -> {
                int operand = compiler.add(tensor);
                int unpacked =
                        unary(
                                new Key("unpack_bits", cells, bigEndian),
                                TensorTypes.unpackBits(compiler.type(operand), cells),
                                operand,
                                (given, work) ->
                                        Rearrangement.unpackBits(given, cells, bigEndian, work));
                paths.unpacked(unpacked, operand, bigEndian);
                yield unpacked;
            }
        };
    }

    private int unary(
            Key key,
            TensorType type,
            int operand,
            BiFunction<TensorData, IntConsumer, TensorData> function) {
        return compiler.compute(
                TensorOperation.of(
                        new Key(key.name, key.given, compiler.type(operand)),
                        type,
                        operands -> function.apply(operands.tensor(0), operands.work())),
                List.of(operand));
    }

    /** A function of two tensors, which reports its work. */
    @FunctionalInterface
    private interface BinaryTensorFunction {
        TensorData apply(TensorData left, TensorData right, IntConsumer work);
    }

    private int binary(
            Key key, TensorType type, int left, int right, BinaryTensorFunction function) {
        return compiler.compute(
                TensorOperation.of(
                        new Key(key.name, key.given, compiler.type(left), compiler.type(right)),
                        type,
                        operands ->
                                function.apply(
                                        operands.tensor(0), operands.tensor(1), operands.work())),
                List.of(left, right));
    }

    /** Adds an operation of numbers on each cell, or on each pair that belongs together. */
    int apply(Operation operation, int first, int second) {
        if (first == second && operation.isUnary()) {
            return unary(
                    new Key("map", operation),
                    TensorTypes.map(compiler.type(first)),
                    first,
                    (tensor, work) ->
                            Rearrangement.map(tensor, cell -> operation.apply(cell, cell), work));
        }
        var join = new Join(compiler.type(first), compiler.type(second));
        int joined =
                binary(
                        new Key("join", operation),
                        join.type(),
                        first,
                        second,
                        (left, right, work) -> join.apply(left, right, operation::apply, work));
        paths.joined(joined, operation, first, second);
        return joined;
    }

    /** Adds a choice between tensors. */
    int choose(int condition, int then, int otherwise) {
        TensorType type = compiler.type(then);
        return compiler.compute(
                TensorOperation.of(
                        new Key("if", type),
                        type,
                        operands -> operands.tensor(operands.number(0) != 0 ? 1 : 2)),
                List.of(condition, then, otherwise));
    }

    /** Adds whether each cell is one of some numbers. */
    int contained(int operand, Step.Choices choices) {
        return unary(
                new Key("in", choices),
                TensorTypes.map(compiler.type(operand)),
                operand,
                (tensor, work) ->
                        Rearrangement.map(tensor, cell -> choices.contains(cell) ? 1 : 0, work));
    }

    private int create(TensorType type, List<Cell> cells) {
        var operands = new ArrayList<Integer>();
        var addresses = new ArrayList<List<String>>();
        for (Cell cell : cells) {
            int value = compiler.add(cell.value());
            operands.add(
                    TensorTypes.isNumber(compiler.type(value))
                            ? value
                            : reduce(value, TensorAggregator.SUM, List.of()));
            addresses.add(cell.labels());
        }
        return compiler.compute(
                TensorOperation.of(
                        new Key("create", type, addresses),
                        type,
                        values -> {
                            var builder = new TensorBuilder(type);
                            for (int i = 0; i < addresses.size(); i++) {
                                values.work().accept(TensorWork.SUBSPACE_UNITS);
                                builder.set(addresses.get(i), values.number(i));
                            }
                            return builder.build();
                        }),
                operands);
    }

    private int generate(TensorType type, Lambda function) {
        int size = TensorTypes.of(type.cellType(), type.dimensions()).subspaceSize();
        StepCompiler.Inside inside =
                compiler.inside(
                        function,
                        function.parameters().stream().map(_ -> TensorType.SCALAR).toList());
        int dimensions = type.dimensions().size();
        return compiler.compute(
                TensorOperation.of(
                        new Key("generate", type, inside.program()),
                        type,
                        operands -> {
                            double[][] places = new double[dimensions][size];
                            int part = size;
                            for (int i = 0; i < dimensions; i++) {
                                int length = ((Dimension.Indexed) type.dimensions().get(i)).size();
                                part /= length;
                                int cell = 0;
                                while (cell < size) {
                                    int end = TensorWork.slice(operands.work(), cell, size);
                                    for (; cell < end; cell++) {
                                        places[i][cell] = cell / part % length;
                                    }
                                }
                            }
                            double[] cells = new double[size];
                            inside.program().evaluate(places, operands, cells);
                            return TensorData.dense(type, cells);
                        }),
                inside.captured());
    }

    /**
     * A function of cells.
     *
     * @param captured the steps that it reads in addition
     */
    private record Called(
            Function<TensorOperands, DoubleBinaryOperator> function, List<Integer> captured) {
        /** Returns the operands, the captured ones first. */
        List<Integer> operands(int... others) {
            var operands = new ArrayList<>(captured);
            for (int other : others) {
                operands.add(other);
            }
            return operands;
        }
    }

    private Called called(Lambda function) {
        Optional<DoubleBinaryOperator> plain = CellFunctions.of(function);
        if (plain.isPresent()) {
            return new Called(_ -> plain.get(), List.of());
        }
        StepCompiler.Inside inside =
                compiler.inside(
                        function,
                        function.parameters().stream().map(_ -> TensorType.SCALAR).toList());
        return new Called(inside.program()::function, inside.captured());
    }

    private int map(int operand, Lambda function) {
        Called called = called(function);
        int at = called.captured.size();
        return compiler.compute(
                TensorOperation.of(
                        new Key("map", function, compiler.type(operand)),
                        TensorTypes.map(compiler.type(operand)),
                        operands -> {
                            DoubleBinaryOperator cells = called.function.apply(operands);
                            return Rearrangement.map(
                                    operands.tensor(at),
                                    cell -> cells.applyAsDouble(cell, cell),
                                    operands.work());
                        }),
                called.operands(operand));
    }

    private int join(int left, int right, Lambda function) {
        if (function.body() instanceof Expression.Binary(var operator, var first, var second)
                && first.equals(new TensorExpression.Variable(function.parameters().getFirst()))
                && second.equals(new TensorExpression.Variable(function.parameters().getLast()))
                && !Operation.isSwapped(operator)) {
            return apply(Operation.of(operator), left, right);
        }
        Called called = called(function);
        int at = called.captured.size();
        var join = new Join(compiler.type(left), compiler.type(right));
        return compiler.compute(
                TensorOperation.of(
                        new Key("join", function, compiler.type(left), compiler.type(right)),
                        join.type(),
                        operands ->
                                join.apply(
                                        operands.tensor(at),
                                        operands.tensor(at + 1),
                                        called.function.apply(operands),
                                        operands.work())),
                called.operands(left, right));
    }

    private int merge(int left, int right, Lambda function) {
        Called called = called(function);
        int at = called.captured.size();
        return compiler.compute(
                TensorOperation.of(
                        new Key("merge", function, compiler.type(left), compiler.type(right)),
                        TensorTypes.merge(compiler.type(left), compiler.type(right)),
                        operands ->
                                Rearrangement.merge(
                                        operands.tensor(at),
                                        operands.tensor(at + 1),
                                        called.function.apply(operands),
                                        operands.work())),
                called.operands(left, right));
    }

    private int concat(int left, int right, String dimension) {
        var concat = new Concat(compiler.type(left), compiler.type(right), dimension);
        return binary(new Key("concat", dimension), concat.type(), left, right, concat::apply);
    }

    private int reduce(int operand, TensorAggregator aggregator, List<String> dimensions) {
        if (isFast && aggregator == TensorAggregator.SUM) {
            Optional<FastPaths.FastPath> path = paths.sum(operand, dimensions);
            if (path.isPresent()) {
                int summed = compiler.compute(path.get().operation(), path.get().operands());
                paths.reduced(summed, operand, aggregator, dimensions);
                return summed;
            }
        }
        var reduction = new Reduction(compiler.type(operand), aggregator, dimensions);
        int reduced =
                unary(
                        new Key("reduce", aggregator, dimensions),
                        reduction.type(),
                        operand,
                        reduction::apply);
        paths.reduced(reduced, operand, aggregator, dimensions);
        return reduced;
    }

    private int mapSubspaces(int operand, Lambda function) {
        TensorType from = compiler.type(operand);
        StepCompiler.Inside inside = compiler.inside(function, List.of(from.subspaceType()));
        TensorType type = TensorTypes.mapSubspaces(from, inside.program().type());
        int at = inside.captured().size();
        int size = type.subspaceSize();
        return compiler.compute(
                TensorOperation.of(
                        new Key("map_subspaces", function, from),
                        type,
                        operands -> {
                            TensorData tensor = operands.tensor(at);
                            double[] cells = new double[tensor.subspaceCount() * size];
                            for (int i = 0; i < tensor.subspaceCount(); i++) {
                                operands.work().accept(PROGRAM_UNITS);
                                TensorData one =
                                        inside.program()
                                                .apply(Rearrangement.subspace(tensor, i), operands);
                                System.arraycopy(one.cells(), 0, cells, i * size, size);
                            }
                            return Rearrangement.withSubspaces(tensor, type, cells);
                        }),
                with(inside.captured(), operand));
    }

    private int filterSubspaces(int operand, Lambda function) {
        TensorType from = compiler.type(operand);
        StepCompiler.Inside inside = compiler.inside(function, List.of(from.subspaceType()));
        int at = inside.captured().size();
        return compiler.compute(
                TensorOperation.of(
                        new Key("filter_subspaces", function, from),
                        TensorTypes.filterSubspaces(from),
                        operands -> {
                            TensorData tensor = operands.tensor(at);
                            boolean[] selected = new boolean[tensor.subspaceCount()];
                            for (int i = 0; i < selected.length; i++) {
                                operands.work().accept(PROGRAM_UNITS);
                                TensorData subspace = Rearrangement.subspace(tensor, i);
                                selected[i] = inside.program().apply(subspace, operands).sum() != 0;
                            }
                            return Rearrangement.filter(tensor, selected, operands.work());
                        }),
                with(inside.captured(), operand));
    }

    private static List<Integer> with(List<Integer> captured, int operand) {
        var operands = new ArrayList<>(captured);
        operands.add(operand);
        return operands;
    }

    /**
     * Returns the index of the cell of a dense tensor at {@code labels}; empty if they do not
     * identify one.
     */
    private static OptionalInt cell(TensorType type, Map<String, String> labels) {
        if (labels.size() != type.dimensions().size()) {
            return OptionalInt.empty();
        }
        int cell = 0;
        for (Dimension dimension : type.dimensions()) {
            String label = labels.getOrDefault(dimension.name(), "");
            if (!(dimension instanceof Dimension.Indexed(_, int size))
                    || !label.matches("0|[1-9][0-9]{0,8}")
                    || Integer.parseInt(label) >= size) {
                return OptionalInt.empty();
            }
            cell = cell * size + Integer.parseInt(label);
        }
        return OptionalInt.of(cell);
    }

    private int slice(TensorExpression.Slice slice, int operand) {
        TensorType from = compiler.type(operand);
        List<String> names = ExpressionTypes.dimensions(slice, from);
        TensorType type = TensorTypes.slice(from, Set.copyOf(names));
        Map<String, String> fixed = new HashMap<>();
        var computed = new ArrayList<String>();
        var operands = new ArrayList<>(List.of(operand));
        for (int i = 0; i < names.size(); i++) {
            switch (slice.at().get(i)) {
                case Coordinate.Label(_, String label) -> fixed.put(names.get(i), label);
                case Coordinate.Computed(_, Expression value) -> {
                    computed.add(names.get(i));
                    operands.add(compiler.add(value));
                }
            }
        }
        OptionalInt cell = computed.isEmpty() ? cell(from, fixed) : OptionalInt.empty();
        if (isFast && cell.isPresent()) {
            int at = cell.getAsInt();
            return compiler.compute(
                    TensorOperation.ofNumber(
                            new Key("cell", from, at), given -> given.cells(0).cells()[at]),
                    operands);
        }
        return compiler.compute(
                TensorOperation.of(
                        new Key("slice", from, Map.copyOf(fixed), List.copyOf(computed)),
                        type,
                        given -> {
                            Map<String, String> at = new HashMap<>(fixed);
                            for (int i = 0; i < computed.size(); i++) {
                                long place = (long) given.number(i + 1);
                                at.put(computed.get(i), Long.toString(place));
                            }
                            return Rearrangement.slice(given.tensor(0), at, given.work());
                        }),
                operands);
    }
}
