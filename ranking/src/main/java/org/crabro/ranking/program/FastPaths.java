package org.crabro.ranking.program;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import org.crabro.ranking.kernel.FloatProducts;
import org.crabro.ranking.kernel.QueryRows;
import org.crabro.ranking.tensor.CellBuffer;
import org.crabro.ranking.tensor.Products;
import org.crabro.ranking.tensor.SparseProducts;
import org.crabro.ranking.tensor.TensorAggregator;
import org.crabro.ranking.tensor.TensorData;
import org.crabro.ranking.tensor.TensorTypes;
import org.crabro.tensor.CellType;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;

/**
 * Finds expressions that can be computed without intermediate tensors. Steps that can be a part of
 * one are registered; sums of cells are looked up.
 *
 * <table>
 *   <caption>The recognized expressions</caption>
 *   <tr><td>{@code sum(a * b)}, {@code sum(a * b, x)} of dense tensors</td><td>dot product, product
 *       of matrices; dot products in floats where no cell is a double, and not all are
 *       bytes</td></tr>
 *   <tr><td>{@code sum(a * b)} of sparse tensors with the same dimensions, one of them
 *       known</td><td>looked up by label</td></tr>
 *   <tr><td>{@code sum(reduce(sum(a * b, x), max, p))}</td><td>MaxSim; in floats where
 *       no cell is a double and one of them is known, of bits without their tensor</td></tr>
 *   <tr><td>{@code sum(hamming(a, b))} of dense bytes</td><td>bits that differ</td></tr>
 *   <tr><td>{@code sum(a * unpack_bits(b))} of dense tensors</td><td>weights of bits</td></tr>
 * </table>
 */
final class FastPaths {
    private final IntFunction<TensorType> types;
    private final IntFunction<Optional<TensorData>> constants;
    private final Map<Integer, Joined> joins = new HashMap<>();
    private final Map<Integer, Reduced> reductions = new HashMap<>();
    private final Map<Integer, Unpacked> unpacked = new HashMap<>();

    /**
     * @param types of steps
     * @param constants the tensors of steps that are the same for all documents
     */
    FastPaths(IntFunction<TensorType> types, IntFunction<Optional<TensorData>> constants) {
        this.types = types;
        this.constants = constants;
    }

    private record Joined(Operation operation, int left, int right) {}

    private record Reduced(int operand, TensorAggregator aggregator, List<String> dimensions) {}

    private record Unpacked(int operand, boolean bigEndian) {}

    /** An operation that replaces another, and its operands. */
    record FastPath(TensorOperation operation, List<Integer> operands) {}

    private static Object key(Object... parts) {
        return List.of(parts);
    }

    void joined(int step, Operation operation, int left, int right) {
        joins.put(step, new Joined(operation, left, right));
    }

    void reduced(int step, int operand, TensorAggregator aggregator, List<String> dimensions) {
        reductions.put(step, new Reduced(operand, aggregator, dimensions));
    }

    void unpacked(int step, int operand, boolean bigEndian) {
        unpacked.put(step, new Unpacked(operand, bigEndian));
    }

    /**
     * Returns a fast computation of the sum of a step's cells over some dimensions; an empty list
     * means all dimensions.
     */
    Optional<FastPath> sum(int step, List<String> dimensions) {
        Joined join = joins.get(step);
        if (join != null && join.operation == Operation.MULTIPLY) {
            return sumOfProducts(step, join, dimensions);
        }
        boolean isNumber = isAll(step, dimensions);
        if (join != null && join.operation == Operation.HAMMING && isNumber) {
            return differingBits(join);
        }
        Reduced reduced = reductions.get(step);
        return reduced != null && reduced.aggregator == TensorAggregator.MAX && isNumber
                ? largestSum(reduced)
                : Optional.empty();
    }

    private boolean isAll(int step, List<String> dimensions) {
        return TensorTypes.isNumber(TensorTypes.reduce(types.apply(step), dimensions));
    }

    private Optional<FastPath> sumOfProducts(int step, Joined join, List<String> dimensions) {
        TensorType left = types.apply(join.left);
        TensorType right = types.apply(join.right);
        if (isAll(step, dimensions)) {
            Optional<FastPath> path =
                    sumOfBits(join.left, join.right).or(() -> sumOfBits(join.right, join.left));
            if (path.isPresent()) {
                return path;
            }
        }
        if (left.isDense()
                && left.dimensions().equals(right.dimensions())
                && isAll(step, dimensions)
                && areFloats(join.left, join.right)
                && !areBytes(join.left, join.right)) {
            return Optional.of(
                    new FastPath(
                            TensorOperation.ofFloats(
                                    key("sum of products of floats", left, right),
                                    operands -> {
                                        CellBuffer ones = operands.cells(0);
                                        float[] others = operands.cells(1).floats();
                                        return FloatProducts.sum(
                                                ones.floats(), others, ones.count());
                                    }),
                            List.of(join.left, join.right)));
        }
        if (left.isDense() && right.isDense()) {
            var products = new Products(left, right, dimensions);
            Object key = key("sum of products", left, right, dimensions);
            return Optional.of(
                    new FastPath(
                            TensorTypes.isNumber(products.type())
                                    ? TensorOperation.ofNumber(
                                            key,
                                            operands ->
                                                    products.number(
                                                            operands.cells(0).cells(),
                                                            operands.cells(1).cells()))
                                    : TensorOperation.of(
                                            key,
                                            products.type(),
                                            operands ->
                                                    products.apply(
                                                            operands.cells(0).cells(),
                                                            operands.cells(1).cells(),
                                                            operands.work())),
                            List.of(join.left, join.right)));
        }
        return isAll(step, dimensions)
                        && isSparse(left)
                        && left.dimensions().equals(right.dimensions())
                ? sparseSum(join.left, join.right).or(() -> sparseSum(join.right, join.left))
                : Optional.empty();
    }

    private static boolean isSparse(TensorType type) {
        return type.dimensions().stream().allMatch(Dimension.Mapped.class::isInstance);
    }

    private Optional<FastPath> sparseSum(int fixed, int other) {
        return constants
                .apply(fixed)
                .map(tensor -> {
                    var products = new SparseProducts(tensor);
                    return new FastPath(
                            TensorOperation.ofNumber(
                                    key("sparse sum of products", tensor),
                                    operands -> products.sum(operands.tensor(0), operands.work())),
                            List.of(other));
                });
    }

    private Optional<FastPath> sumOfBits(int weights, int bits) {
        Unpacked packed = unpacked.get(bits);
        if (packed == null
                || !types.apply(weights).isDense()
                || !types.apply(packed.operand).isDense()
                || !types.apply(weights).dimensions().equals(types.apply(bits).dimensions())) {
            return Optional.empty();
        }
        boolean bigEndian = packed.bigEndian;
        return Optional.of(
                new FastPath(
                        TensorOperation.ofNumber(
                                key("sum of bits", types.apply(weights), bigEndian),
                                operands -> {
                                    CellBuffer bytes = operands.cells(1);
                                    return Products.sumOfBits(
                                            operands.cells(0).cells(),
                                            bytes.cells(),
                                            bytes.count(),
                                            bigEndian);
                                }),
                        List.of(weights, packed.operand)));
    }

    private Optional<FastPath> differingBits(Joined join) {
        TensorType type = types.apply(join.left);
        if (!type.isDense() || !type.dimensions().equals(types.apply(join.right).dimensions())) {
            return Optional.empty();
        }
        return Optional.of(
                new FastPath(
                        TensorOperation.ofNumber(
                                key("differing bits", type),
                                operands -> {
                                    CellBuffer left = operands.cells(0);
                                    return Products.differingBits(
                                            left.cells(), operands.cells(1).cells(), left.count());
                                }),
                        List.of(join.left, join.right)));
    }

    /** Rows of both tensors are contiguous if the dimension of their cells is the last one. */
    private Optional<FastPath> largestSum(Reduced largest) {
        Reduced sums = reductions.get(largest.operand);
        Joined join = sums == null ? null : joins.get(sums.operand);
        if (sums == null
                || join == null
                || join.operation != Operation.MULTIPLY
                || sums.aggregator != TensorAggregator.SUM
                || sums.dimensions.size() != 1) {
            return Optional.empty();
        }
        String cells = sums.dimensions.getFirst();
        List<String> left = rows(types.apply(join.left), cells);
        List<String> right = rows(types.apply(join.right), cells);
        boolean isApart = left.stream().noneMatch(right::contains);
        if (left.isEmpty() || right.isEmpty() || !isApart) {
            return Optional.empty();
        }
        List<String> names = largest.dimensions.stream().sorted().toList();
        int size = size(types.apply(join.left), cells);
        if (names.equals(right)) {
            return Optional.of(largestSum(join.left, join.right, size));
        }
        return names.equals(left)
                ? Optional.of(largestSum(join.right, join.left, size))
                : Optional.empty();
    }

    /** Whether cells and results are floats. */
    private boolean areFloats(int left, int right) {
        return types.apply(left).cellType() != CellType.DOUBLE
                && types.apply(right).cellType() != CellType.DOUBLE;
    }

    /** Sums of bytes are whole numbers, and are to stay so. */
    private boolean areBytes(int left, int right) {
        return types.apply(left).cellType() == CellType.INT8
                && types.apply(right).cellType() == CellType.INT8;
    }

    private FastPath largestSum(int ones, int others, int size) {
        Optional<TensorData> query = constants.apply(ones);
        if (query.isPresent() && areFloats(ones, others)) {
            QueryRows rows = QueryRows.of(query.get().cells(), size);
            Unpacked packed = unpacked.get(others);
            if (packed != null) {
                boolean bigEndian = packed.bigEndian;
                return new FastPath(
                        TensorOperation.ofFloats(
                                key("largest sum of bits", query.get(), size, bigEndian),
                                operands -> {
                                    CellBuffer cells = operands.cells(0);
                                    cells.unpackBits(bigEndian);
                                    return rows.largestSum(
                                            cells.floats(), cells.count(), operands.work());
                                }),
                        List.of(packed.operand));
            }
            return new FastPath(
                    TensorOperation.ofFloats(
                            key("largest sum of floats", query.get(), size),
                            operands -> {
                                CellBuffer cells = operands.cells(0);
                                return rows.largestSum(
                                        cells.floats(), cells.count(), operands.work());
                            }),
                    List.of(others));
        }
        return new FastPath(
                TensorOperation.ofNumber(
                        key("largest sum", types.apply(ones), types.apply(others)),
                        operands ->
                                Products.largestSum(
                                        operands.cells(0),
                                        operands.cells(1),
                                        size,
                                        operands.work())),
                List.of(ones, others));
    }

    /** Returns the other dimensions of a type whose last indexed one is {@code cells}, or none. */
    private static List<String> rows(TensorType type, String cells) {
        List<String> indexed =
                type.dimensions().stream()
                        .filter(Dimension.Indexed.class::isInstance)
                        .map(Dimension::name)
                        .toList();
        return indexed.isEmpty() || !indexed.getLast().equals(cells)
                ? List.of()
                : type.dimensions().stream()
                        .map(Dimension::name)
                        .filter(name -> !name.equals(cells))
                        .toList();
    }

    private static int size(TensorType type, String name) {
        return type.dimensions().stream()
                .filter(dimension -> dimension.name().equals(name))
                .mapToInt(dimension -> ((Dimension.Indexed) dimension).size())
                .findFirst()
                .orElseThrow();
    }
}
