package org.crabro.ranking.tensor;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.crabro.tensor.CellType;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;

/**
 * The types of the results of tensor functions. All methods throw {@link IllegalArgumentException}
 * if the operands do not fit. The message is for the author of the expression.
 */
public final class TensorTypes {
    private TensorTypes() {}

    /** Returns whether a type is that of numbers. */
    public static boolean isNumber(TensorType type) {
        return type.dimensions().isEmpty();
    }

    /**
     * Returns the type of {@code dimensions}, in any order; the type of numbers if there are none.
     */
    public static TensorType of(CellType cells, List<Dimension> dimensions) {
        if (dimensions.isEmpty()) {
            return TensorType.SCALAR;
        }
        var sorted = new ArrayList<>(dimensions);
        sorted.sort(Comparator.comparing(Dimension::name));
        var type = new TensorType(cells, sorted);
        if (type.subspaceSize() > TensorLimitException.CELL_COUNT_MAX) {
            throw new IllegalArgumentException(
                    "%s has more than %d cells"
                            .formatted(type, TensorLimitException.CELL_COUNT_MAX));
        }
        return type;
    }

    /** Returns the type of a tensor whose cells were computed from those of {@code type}. */
    public static TensorType map(TensorType type) {
        return of(decay(type.cellType()), type.dimensions());
    }

    /** Returns the type of cells computed from those of two tensors where their labels agree. */
    public static TensorType join(TensorType left, TensorType right) {
        var dimensions = new TreeMap<String, Dimension>();
        left.dimensions().forEach(dimension -> dimensions.put(dimension.name(), dimension));
        for (Dimension dimension : right.dimensions()) {
            Dimension other = dimensions.put(dimension.name(), dimension);
            if (other != null && !other.equals(dimension)) {
                throw new IllegalArgumentException(
                        "dimension '%s' differs between %s and %s"
                                .formatted(dimension.name(), left, right));
            }
        }
        return of(decay(unify(left, right)), List.copyOf(dimensions.values()));
    }

    /** Returns the type of the cells of one or the other of two tensors. */
    public static TensorType merge(TensorType left, TensorType right) {
        if (!left.dimensions().equals(right.dimensions())) {
            throw new IllegalArgumentException(
                    "merge takes tensors with the same dimensions, not %s and %s"
                            .formatted(left, right));
        }
        return of(decay(unify(left, right)), left.dimensions());
    }

    /**
     * Returns the type without the dimensions {@code names}; without all if {@code names} is empty.
     */
    public static TensorType reduce(TensorType type, List<String> names) {
        requireDimensions(type, names);
        List<Dimension> left =
                names.isEmpty()
                        ? List.of()
                        : type.dimensions().stream()
                                .filter(dimension -> !names.contains(dimension.name()))
                                .toList();
        return of(decay(type.cellType()), left);
    }

    /** Returns the type without some dimensions, with the same type of cells. */
    public static TensorType slice(TensorType type, Set<String> names) {
        requireDimensions(type, names);
        return of(
                type.cellType(),
                type.dimensions().stream()
                        .filter(dimension -> !names.contains(dimension.name()))
                        .toList());
    }

    private static void requireDimensions(TensorType type, Iterable<String> names) {
        for (String name : names) {
            if (type.dimensions().stream().noneMatch(each -> each.name().equals(name))) {
                throw new IllegalArgumentException(type + " has no dimension '" + name + "'");
            }
        }
    }

    /** Returns the type with other names of dimensions. */
    public static TensorType rename(TensorType type, List<String> from, List<String> to) {
        requireDimensions(type, from);
        var names = new HashSet<String>();
        var dimensions = new ArrayList<Dimension>();
        for (Dimension dimension : type.dimensions()) {
            int place = from.indexOf(dimension.name());
            Dimension named = place < 0 ? dimension : named(dimension, to.get(place));
            if (!names.add(named.name())) {
                throw new IllegalArgumentException(
                        "renaming leaves two dimensions '" + named.name() + "' in " + type);
            }
            dimensions.add(named);
        }
        return of(type.cellType(), dimensions);
    }

    private static Dimension named(Dimension dimension, String name) {
        return switch (dimension) {
            case Dimension.Mapped _ -> new Dimension.Mapped(name);
            case Dimension.Indexed(_, int size) -> new Dimension.Indexed(name, size);
        };
    }

    /** Returns the type of two tensors that are concatenated in an indexed dimension. */
    public static TensorType concat(TensorType left, TensorType right, String name) {
        int size = size(left, name) + size(right, name);
        TensorType joined = join(without(left, name), without(right, name));
        var dimensions = new ArrayList<>(joined.dimensions());
        dimensions.add(new Dimension.Indexed(name, size));
        return of(unify(left, right), dimensions);
    }

    /** Returns the size of an indexed dimension, 1 if there is none of that name. */
    static int size(TensorType type, String name) {
        for (Dimension dimension : type.dimensions()) {
            if (dimension.name().equals(name)) {
                return switch (dimension) {
                    case Dimension.Indexed(_, int size) -> size;
                    case Dimension.Mapped _ ->
                            throw new IllegalArgumentException(
                                    "concat takes an indexed dimension, but '%s' of %s is mapped"
                                            .formatted(name, type));
                };
            }
        }
        return 1;
    }

    private static TensorType without(TensorType type, String name) {
        return of(
                type.cellType(),
                type.dimensions().stream()
                        .filter(dimension -> !dimension.name().equals(name))
                        .toList());
    }

    /** Returns the type with other cells. */
    public static TensorType cast(TensorType type, CellType cells) {
        if (isNumber(type) && cells != CellType.DOUBLE) {
            throw new IllegalArgumentException("a number is a double and cannot be cast");
        }
        return of(cells, type.dimensions());
    }

    /**
     * Returns the type of a function that is applied to each subspace.
     *
     * @param result the type of the result for one subspace
     */
    public static TensorType mapSubspaces(TensorType type, TensorType result) {
        if (!result.isDense()) {
            throw new IllegalArgumentException(
                    "a function of subspaces gives numbers or dense tensors, not " + result);
        }
        var dimensions = new ArrayList<>(mapped(type));
        for (Dimension dimension : result.dimensions()) {
            if (mapped(type).stream().anyMatch(each -> each.name().equals(dimension.name()))) {
                throw new IllegalArgumentException(
                        "dimension '" + dimension.name() + "' is declared twice");
            }
            dimensions.add(dimension);
        }
        return of(isNumber(result) ? decay(type.cellType()) : result.cellType(), dimensions);
    }

    /** Returns the type of a tensor after subspaces are filtered. */
    public static TensorType filterSubspaces(TensorType type) {
        if (mapped(type).isEmpty()) {
            throw new IllegalArgumentException(
                    "filter_subspaces takes a tensor with mapped dimensions, not " + type);
        }
        return type;
    }

    /** Returns the type of the bits of a tensor's cells. */
    public static TensorType unpackBits(TensorType type, CellType cells) {
        Dimension.Indexed last = null;
        for (Dimension dimension : type.dimensions()) {
            last = dimension instanceof Dimension.Indexed indexed ? indexed : last;
        }
        if (last == null) {
            throw new IllegalArgumentException(
                    "unpack_bits takes a tensor with an indexed dimension, not " + type);
        }
        var dimensions = new ArrayList<Dimension>(type.dimensions());
        dimensions.remove(last);
        dimensions.add(new Dimension.Indexed(last.name(), Math.multiplyExact(last.size(), 8)));
        return of(cells, dimensions);
    }

    static List<Dimension> mapped(TensorType type) {
        return type.dimensions().stream().filter(Dimension.Mapped.class::isInstance).toList();
    }

    static List<Dimension.Indexed> indexed(TensorType type) {
        return type.dimensions().stream()
                .filter(Dimension.Indexed.class::isInstance)
                .map(Dimension.Indexed.class::cast)
                .toList();
    }

    /** Returns the names of dimensions, for messages. */
    static String names(List<? extends Dimension> dimensions) {
        return dimensions.stream().map(Dimension::name).collect(joining("', '", "'", "'"));
    }

    private static CellType decay(CellType cells) {
        return cells == CellType.DOUBLE ? CellType.DOUBLE : CellType.FLOAT;
    }

    private static CellType unify(TensorType left, TensorType right) {
        if (isNumber(left)) {
            return right.cellType();
        }
        if (isNumber(right) || left.cellType() == right.cellType()) {
            return left.cellType();
        }
        return left.cellType() == CellType.DOUBLE || right.cellType() == CellType.DOUBLE
                ? CellType.DOUBLE
                : CellType.FLOAT;
    }
}
