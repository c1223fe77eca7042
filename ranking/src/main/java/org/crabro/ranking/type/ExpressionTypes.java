package org.crabro.ranking.type;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.Expression.Feature;
import org.crabro.ranking.expression.ExpressionPosition;
import org.crabro.ranking.expression.ExpressionText;
import org.crabro.ranking.expression.TensorExpression;
import org.crabro.ranking.expression.TensorExpression.Coordinate;
import org.crabro.ranking.expression.TensorExpression.Lambda;
import org.crabro.ranking.tensor.TensorTypes;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;

/** Computes the types of expressions. Each shared part is checked once. For one thread. */
public final class ExpressionTypes {
    private final Function<Feature, TensorType> features;
    private final IdentityHashMap<Expression, TensorType> cached;
    private final Map<String, TensorType> variables;

    /**
     * @param features returns the type of a feature, or throws
     */
    public ExpressionTypes(Function<Feature, TensorType> features) {
        this(features, Map.of());
    }

    private ExpressionTypes(
            Function<Feature, TensorType> features, Map<String, TensorType> variables) {
        this.features = features;
        this.variables = variables;
        this.cached = new IdentityHashMap<>();
    }

    /**
     * Returns the types inside a lambda function or a generated tensor.
     *
     * @param types by name of the parameter
     * @param closed whether no other name is visible
     */
    public ExpressionTypes within(Map<String, TensorType> types, boolean closed) {
        if (closed) {
            return new ExpressionTypes(ExpressionTypes::refused, types);
        }
        var all = new HashMap<>(variables);
        all.putAll(types);
        return new ExpressionTypes(features, all);
    }

    private static TensorType refused(Feature feature) {
        throw new ExpressionTypeException(
                feature.origin(),
                "'%s' is not visible here: a lambda function can only use its parameters"
                        .formatted(feature));
    }

    /**
     * Returns the type of {@code expression}.
     *
     * @throws ExpressionTypeException if operands do not fit their operation
     */
    public TensorType of(Expression expression) {
        TensorType type = cached.get(expression);
        if (type == null) {
            type = compute(expression);
            cached.put(expression, type);
        }
        return type;
    }

    private TensorType compute(Expression expression) {
        return switch (expression) {
            case Expression.Constant _, Expression.Text _ -> TensorType.SCALAR;
            case Feature feature -> features.apply(feature);
            case Expression.Unary(_, Expression operand) -> {
                TensorType type = of(operand);
                yield checked(expression, () -> TensorTypes.map(type));
            }
            case Expression.Binary(_, Expression left, Expression right) ->
                    join(expression, left, right);
            case Expression.In(Expression operand, _) -> {
                TensorType type = of(operand);
                yield checked(expression, () -> TensorTypes.map(type));
            }
            case Expression.Call(_, List<Expression> arguments) -> {
                if (arguments.size() == 1) {
                    TensorType type = of(arguments.getFirst());
                    yield checked(expression, () -> TensorTypes.map(type));
                }
                yield join(expression, arguments.getFirst(), arguments.getLast());
            }
            case Expression.If(Expression condition, Expression then, Expression otherwise) -> {
                requireNumber(condition, "the condition of an 'if'");
                TensorType first = of(then);
                TensorType second = of(otherwise);
                if (!first.equals(second)) {
                    throw problem(
                            expression,
                            "both branches of an 'if' have one type, not %s and %s"
                                    .formatted(first, second));
                }
                yield first;
            }
            case Expression.Trees(_, _, List<Expression> inputs) -> {
                inputs.forEach(input -> requireNumber(input, "what trees split by"));
                yield TensorType.SCALAR;
            }
            case Expression.Onnx onnx -> {
                // Whether inputs fit was found out when the model got its sizes from them.
                onnx.inputs().forEach(this::of);
                yield onnx.model().outputs().get(onnx.output()).type();
            }
            case TensorExpression tensor -> tensor(tensor);
        };
    }

    private TensorType join(Expression whole, Expression left, Expression right) {
        TensorType first = of(left);
        TensorType second = of(right);
        return checked(whole, () -> TensorTypes.join(first, second));
    }

    private TensorType tensor(TensorExpression expression) {
        return switch (expression) {
            case TensorExpression.Variable(String name) -> {
                TensorType type = variables.get(name);
                if (type == null) {
                    throw problem(
                            expression,
                            "'%s' is not visible here: a lambda function can only use its parameters"
                                    .formatted(name));
                }
                yield type;
            }
            case TensorExpression.Value(var tensor) -> tensor.type();
            case TensorExpression.Create(TensorType type, var cells) -> {
                cells.forEach(cell -> of(cell.value()));
                yield type;
            }
            case TensorExpression.Generate(TensorType type, Lambda function) -> {
                var places = new HashMap<String, TensorType>();
                function.parameters().forEach(name -> places.put(name, TensorType.SCALAR));
                within(places, false).requireNumber(function.body(), "a cell");
                yield checked(expression, () -> TensorTypes.of(type.cellType(), type.dimensions()));
            }
            case TensorExpression.Map(Expression tensor, Lambda function) -> {
                TensorType type = of(tensor);
                requireCellFunction(function);
                yield checked(expression, () -> TensorTypes.map(type));
            }
            case TensorExpression.MapSubspaces(Expression tensor, Lambda function) -> {
                TensorType type = of(tensor);
                TensorType result = ofSubspace(type, function).of(function.body());
                yield checked(expression, () -> TensorTypes.mapSubspaces(type, result));
            }
            case TensorExpression.FilterSubspaces(Expression tensor, Lambda function) -> {
                TensorType type = of(tensor);
                ofSubspace(type, function).of(function.body());
                yield checked(expression, () -> TensorTypes.filterSubspaces(type));
            }
            case TensorExpression.Reduce(Expression tensor, _, List<String> dimensions) -> {
                TensorType type = of(tensor);
                yield checked(expression, () -> TensorTypes.reduce(type, dimensions));
            }
            case TensorExpression.Join(Expression left, Expression right, Lambda function) -> {
                requireCellFunction(function);
                yield join(expression, left, right);
            }
            case TensorExpression.Merge(Expression left, Expression right, Lambda function) -> {
                requireCellFunction(function);
                TensorType first = of(left);
                TensorType second = of(right);
                yield checked(expression, () -> TensorTypes.merge(first, second));
            }
            case TensorExpression.Concat(Expression left, Expression right, String dimension) -> {
                TensorType first = of(left);
                TensorType second = of(right);
                yield checked(expression, () -> TensorTypes.concat(first, second, dimension));
            }
            case TensorExpression.Rename(Expression tensor, var from, var to) -> {
                TensorType type = of(tensor);
                yield checked(expression, () -> TensorTypes.rename(type, from, to));
            }
            case TensorExpression.Slice slice -> {
                Set<String> names = dimensions(slice);
                TensorType type = of(slice.tensor());
                yield checked(expression, () -> TensorTypes.slice(type, names));
            }
            case TensorExpression.Cast(Expression tensor, var cells) -> {
                TensorType type = of(tensor);
                yield checked(expression, () -> TensorTypes.cast(type, cells));
            }
            case TensorExpression.Order(Expression tensor, _) -> {
                TensorType type = of(tensor);
                yield checked(expression, () -> TensorTypes.map(type));
            }
            case TensorExpression.UnpackBits(Expression tensor, var cells, _) -> {
                TensorType type = of(tensor);
                yield checked(expression, () -> TensorTypes.unpackBits(type, cells));
            }
        };
    }

    /** Returns the types inside a function of the subspaces of {@code type}. */
    public ExpressionTypes ofSubspace(TensorType type, Lambda function) {
        return within(Map.of(function.parameters().getFirst(), type.subspaceType()), true);
    }

    private void requireCellFunction(Lambda function) {
        var numbers = new HashMap<String, TensorType>();
        function.parameters().forEach(name -> numbers.put(name, TensorType.SCALAR));
        within(numbers, true).requireNumber(function.body(), "a cell");
    }

    private Set<String> dimensions(TensorExpression.Slice slice) {
        TensorType type = of(slice.tensor());
        List<String> names = dimensions(slice, type);
        for (int i = 0; i < names.size(); i++) {
            Coordinate coordinate = slice.at().get(i);
            if (coordinate instanceof Coordinate.Computed(_, Expression value)) {
                requireNumber(value, "a label");
            }
            requirePlace(slice, type, names.get(i), coordinate);
        }
        return Set.copyOf(names);
    }

    /**
     * Returns the dimension of each coordinate of a slice.
     *
     * @param type of the tensor that is sliced
     * @throws ExpressionTypeException if a dimension that is not named is not the only one
     */
    public static List<String> dimensions(TensorExpression.Slice slice, TensorType type) {
        var names = new LinkedHashSet<String>();
        for (Coordinate coordinate : slice.at()) {
            String name =
                    switch (coordinate.dimension()) {
                        case Coordinate.ONLY_INDEXED -> onlyIndexed(slice, type);
                        case Coordinate.ONLY -> only(slice, type);
                        default -> coordinate.dimension();
                    };
            if (!names.add(name)) {
                throw problem(slice, "dimension '" + name + "' is declared twice");
            }
        }
        return List.copyOf(names);
    }

    private static void requirePlace(
            Expression slice, TensorType type, String name, Coordinate coordinate) {
        for (Dimension dimension : type.dimensions()) {
            if (dimension.name().equals(name)
                    && dimension instanceof Dimension.Indexed
                    && coordinate instanceof Coordinate.Label(_, String label)
                    && !label.matches("[0-9]+")) {
                throw problem(
                        slice,
                        "'%s' is no place in the indexed dimension '%s'; write (%s) for its value"
                                .formatted(label, name, label));
            }
        }
    }

    private static String onlyIndexed(Expression slice, TensorType type) {
        var names = new ArrayList<String>();
        for (Dimension dimension : type.dimensions()) {
            if (dimension instanceof Dimension.Indexed) {
                names.add(dimension.name());
            }
        }
        if (names.size() != 1) {
            throw problem(
                    slice, "'[]' needs a tensor with one indexed dimension, and this is a " + type);
        }
        return names.getFirst();
    }

    /** A label alone is that of the only mapped dimension, or else of the only one there is. */
    private static String only(Expression slice, TensorType type) {
        List<Dimension> mapped =
                type.dimensions().stream().filter(Dimension.Mapped.class::isInstance).toList();
        List<Dimension> some = mapped.isEmpty() ? type.dimensions() : mapped;
        if (some.size() != 1) {
            throw problem(slice, "a label needs its dimension, since this is a " + type);
        }
        return some.getFirst().name();
    }

    void requireNumber(Expression expression, String what) {
        TensorType type = of(expression);
        if (!TensorTypes.isNumber(type)) {
            throw problem(
                    expression,
                    "'%s' is a %s, but %s is a number"
                            .formatted(ExpressionText.of(expression), type, what));
        }
    }

    private static TensorType checked(Expression expression, Supplier<TensorType> type) {
        try {
            return type.get();
        } catch (IllegalArgumentException e) {
            throw problem(
                    expression,
                    "'%s' cannot be: %s".formatted(ExpressionText.of(expression), e.getMessage()));
        } catch (ArithmeticException e) {
            throw problem(expression, "'%s' is too large".formatted(ExpressionText.of(expression)));
        }
    }

    static ExpressionTypeException problem(Expression expression, String problem) {
        ExpressionPosition origin =
                expression.features().stream()
                        .findFirst()
                        .map(Feature::origin)
                        .orElse(ExpressionPosition.UNKNOWN);
        return new ExpressionTypeException(origin, problem);
    }
}
