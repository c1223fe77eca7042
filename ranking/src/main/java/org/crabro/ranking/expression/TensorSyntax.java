package org.crabro.ranking.expression;

import static org.crabro.ranking.expression.TensorCompositions.call;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.crabro.ranking.expression.TensorExpression.Coordinate;
import org.crabro.ranking.expression.TensorExpression.Lambda;
import org.crabro.ranking.tensor.TensorAggregator;
import org.crabro.tensor.CellType;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorSyntaxException;
import org.crabro.tensor.TensorType;

/**
 * Parses the syntax of tensors.
 *
 * <pre>
 *   call      := "map" "(" expression "," lambda ")" | "join" "(" expression "," expression "," lambda ")"
 *              | ... each function as in {@link #FUNCTIONS}
 *   lambda    := "f" "(" name { "," name } ")" "(" expression ")"
 *   generator := type "(" expression ")"
 *   slice     := "{" coordinate { "," coordinate } "}" | "{" place "}" | "[" expression "]"
 *   coordinate := name ":" place
 *   place     := label | expression                      ; a label if only that is between the signs
 *   label     := name | [ "-" ] digits | string
 * </pre>
 *
 * <p>{@link TensorLiteral} parses tensor literals.
 */
final class TensorSyntax {
    /** The functions of tensors that are not functions of numbers as well. */
    static final Set<String> FUNCTIONS =
            Set.of(
                    """
                    argmax argmin avg cell_cast cell_order concat cosine_similarity count diag \
                    euclidean_distance expand filter_subspaces join l1_normalize l2_normalize map \
                    map_subspaces matmul median merge prod range reduce rename softmax sum top \
                    unpack_bits xw_plus_b\
                    """
                            .split(" "));

    private static final Pattern NAME =
            Pattern.compile("([A-Za-z0-9_@$]+)\\p{javaWhitespace}*[\\[{]");

    /** An optional cell type between the name of a generating function and its dimensions. */
    private static final Pattern CELLS =
            Pattern.compile("<\\s*(double|float|bfloat16|int8)\\s*>\\s*(?=\\()");

    private final ExpressionParser in;

    TensorSyntax(ExpressionParser in) {
        this.in = in;
    }

    /** Parses a call of the function {@code name}, from its parenthesis on. */
    Expression function(String name) {
        in.expect('(');
        Expression called =
                switch (name) {
                    case "diag", "range" -> generated(name, "");
                    case "top" -> {
                        Expression count = in.expression(0);
                        comma();
                        yield TensorCompositions.top(count, in.expression(0));
                    }
                    default -> ofTensor(name, in.expression(0));
                };
        in.expect(')', "an operator, ',' or ')'");
        return called;
    }

    private Expression ofTensor(String name, Expression tensor) {
        return switch (name) {
            case "map" -> new TensorExpression.Map(tensor, lambda(1));
            case "map_subspaces" -> new TensorExpression.MapSubspaces(tensor, lambda(1));
            case "filter_subspaces" -> new TensorExpression.FilterSubspaces(tensor, lambda(1));
            case "join" -> {
                Expression right = next();
                yield new TensorExpression.Join(tensor, right, lambda(2));
            }
            case "merge" -> {
                Expression right = next();
                yield new TensorExpression.Merge(tensor, right, lambda(2));
            }
            case "concat" -> {
                Expression right = next();
                yield new TensorExpression.Concat(tensor, right, dimension());
            }
            case "reduce" -> {
                comma();
                TensorAggregator aggregator = aggregator();
                yield new TensorExpression.Reduce(tensor, aggregator, dimensions());
            }
            case "avg", "count", "median", "prod", "sum" ->
                    new TensorExpression.Reduce(
                            tensor, TensorAggregator.named(name).orElseThrow(), dimensions());
            case "argmax" -> TensorCompositions.best(tensor, TensorAggregator.MAX, dimensions());
            case "argmin" -> TensorCompositions.best(tensor, TensorAggregator.MIN, dimensions());
            case "rename" -> {
                comma();
                List<String> from = names();
                comma();
                List<String> to = names();
                if (from.size() != to.size()) {
                    throw in.problem("'rename' takes as many new names as old ones");
                }
                yield new TensorExpression.Rename(tensor, from, to);
            }
            case "cell_cast" -> {
                comma();
                yield new TensorExpression.Cast(tensor, cellType());
            }
            case "cell_order" -> {
                comma();
                yield new TensorExpression.Order(tensor, choice("max", "min"));
            }
            case "unpack_bits" -> unpackBits(tensor);
            case "cosine_similarity" -> {
                Expression right = next();
                yield TensorCompositions.cosineSimilarity(tensor, right, dimension());
            }
            case "euclidean_distance" -> {
                Expression right = next();
                yield TensorCompositions.euclideanDistance(tensor, right, dimension());
            }
            case "matmul" -> {
                Expression right = next();
                yield TensorCompositions.sumOfProducts(tensor, right, dimension());
            }
            case "xw_plus_b" -> {
                Expression weights = next();
                Expression bias = next();
                yield new Expression.Binary(
                        BinaryOperator.PLUS,
                        TensorCompositions.sumOfProducts(tensor, weights, dimension()),
                        bias);
            }
            case "expand" -> TensorCompositions.expand(tensor, dimension());
            case "l1_normalize" -> TensorCompositions.normalizedBySum(tensor, dimension());
            case "l2_normalize" -> TensorCompositions.normalizedByLength(tensor, dimension());
            case "softmax" ->
                    TensorCompositions.normalizedBySum(
                            call(ScalarFunction.EXP, tensor), dimension());
            default -> throw new IllegalStateException("no function of tensors: " + name);
        };
    }

    private Expression unpackBits(Expression tensor) {
        CellType cells = CellType.FLOAT;
        boolean bigEndian = true;
        if (in.accept(',')) {
            cells = cellType();
            if (in.accept(',')) {
                bigEndian = choice("big", "little");
            }
        }
        return new TensorExpression.UnpackBits(tensor, cells, bigEndian);
    }

    /**
     * Returns whether the bracket after {@code random} contains dimensions; otherwise it is a
     * feature.
     */
    boolean atDimensions() {
        int start = in.offset;
        in.expect('(');
        boolean isPresent = in.at('<');
        if (!isPresent && in.nameEnd() > in.offset) {
            in.word();
            isPresent = in.at('[');
        }
        in.offset = start;
        return isPresent;
    }

    /** Parses {@code random(i[2])}. */
    Expression random() {
        in.expect('(');
        Expression generated = generated("random", "");
        in.expect(')', "')'");
        return generated;
    }

    /**
     * Returns whether a cell type and dimensions follow {@code name}, so that it generates a
     * tensor.
     */
    boolean atCells(String name) {
        return switch (name) {
            case "diag", "random", "range" ->
                    CELLS.matcher(in.text).region(in.offset, in.text.length()).lookingAt();
            default -> false;
        };
    }

    /** Parses {@code diag<float>(i[2],j[2])} from the cells on. */
    Expression generatedOfCells(String name) {
        int start = in.offset;
        in.offset = in.text.indexOf('(', start);
        String cells = in.text.substring(start, in.offset).strip();
        in.expect('(');
        Expression generated = generated(name, cells);
        in.expect(')', "')'");
        return generated;
    }

    private Expression generated(String name, String cellsBefore) {
        int start = in.offset;
        int end = in.text.indexOf(')', start);
        String dimensions = in.text.substring(start, end < 0 ? in.text.length() : end).strip();
        String cells = cellsBefore;
        if (cells.isEmpty() && dimensions.startsWith("<")) {
            int close = dimensions.indexOf('>');
            cells = dimensions.substring(0, close + 1);
            dimensions = dimensions.substring(close + 1);
        }
        TensorType type = type("tensor" + cells + "(" + dimensions + ")");
        in.offset = end < 0 ? in.text.length() : end;
        List<String> names = type.dimensions().stream().map(Dimension::name).toList();
        if (names.isEmpty()) {
            in.offset = start;
            throw in.problem("'%s' takes indexed dimensions".formatted(name));
        }
        List<Expression> variables =
                names.stream().<Expression>map(TensorExpression.Variable::new).toList();
        Expression body =
                switch (name) {
                    case "diag" ->
                            IntStream.range(1, names.size())
                                    .<Expression>mapToObj(i ->
                                            new Expression.Binary(
                                                    BinaryOperator.EQUAL,
                                                    variables.get(i - 1),
                                                    variables.get(i)))
                                    .reduce((left, right) ->
                                            binary(BinaryOperator.MULTIPLY, left, right))
                                    .orElseGet(() -> new Expression.Constant(1));
                    case "range" ->
                            variables.stream()
                                    .reduce((left, right) ->
                                            binary(BinaryOperator.PLUS, left, right))
                                    .orElseThrow();
                    default -> new Expression.Feature("random", List.of(), "");
                };
        return generate(type, new Lambda(names, body), start);
    }

    private static Expression binary(BinaryOperator operator, Expression left, Expression right) {
        return new Expression.Binary(operator, left, right);
    }

    private TensorExpression.Generate generate(TensorType type, Lambda function, int start) {
        if (!type.isDense() || type.dimensions().isEmpty()) {
            in.offset = start;
            throw in.problem(
                    "a tensor that is generated has indexed dimensions alone, not " + type);
        }
        return new TensorExpression.Generate(type, function);
    }

    /** Parses the text after the word {@code tensor}: a literal or a generated tensor. */
    Expression tensor(int start) {
        int end = in.text.indexOf(')', in.offset);
        if (end < 0) {
            throw in.problem("the type has no end");
        }
        String written = in.text.substring(start, end + 1);
        TensorType type = type(written);
        in.offset = end + 1;
        in.skipSpace();
        if (in.accept(':')) {
            return new TensorLiteral(in, start, type, order(written, type)).value();
        }
        if (!in.at('(')) {
            throw in.unexpected("':' and a value, or '(' and an expression for each cell");
        }
        List<String> names = type.dimensions().stream().map(Dimension::name).toList();
        in.expect('(');
        Expression body = in.expressionWith(names, false);
        in.expect(')', "an operator or ')'");
        return generate(type, new Lambda(names, body), start);
    }

    private TensorType type(String written) {
        try {
            return TensorType.parse(written);
        } catch (TensorSyntaxException | IllegalArgumentException e) {
            throw in.problem(String.valueOf(e.getMessage()));
        }
    }

    /** Returns the dimensions in the order in which they are written. */
    static List<Dimension> order(String written, TensorType type) {
        var order = new ArrayList<Dimension>();
        Matcher names = NAME.matcher(written.substring(written.indexOf('(')));
        while (names.find()) {
            String name = names.group(1);
            type.dimensions().stream()
                    .filter(dimension -> dimension.name().equals(name))
                    .forEach(order::add);
        }
        return order;
    }

    /** Parses the coordinates of a slice after a tensor. */
    Expression slice(Expression tensor) {
        var at = new ArrayList<Coordinate>();
        if (in.accept('[')) {
            at.add(new Coordinate.Computed(Coordinate.ONLY_INDEXED, in.expression(0)));
            in.expect(']', "an operator or ']'");
            return new TensorExpression.Slice(tensor, at);
        }
        in.expect('{');
        if (!atDimension()) {
            at.add(coordinate(Coordinate.ONLY, "a dimension or a label"));
            in.expect('}', "':' or '}'");
            return new TensorExpression.Slice(tensor, at);
        }
        do {
            String name = in.nameOr("a dimension");
            in.expect(':', "':' or '}'");
            at.add(coordinate(name, "a label"));
        } while (in.accept(','));
        in.expect('}', "',' or '}'");
        return new TensorExpression.Slice(tensor, at);
    }

    private boolean atDimension() {
        int start = in.offset;
        boolean isPresent = false;
        if (in.nameEnd() > in.offset) {
            in.word();
            isPresent = in.at(':');
        }
        in.offset = start;
        return isPresent;
    }

    /** Parses a place: a label, or an expression if it is more than a label. */
    private Coordinate coordinate(String dimension, String expected) {
        int start = in.offset;
        if (in.atLabel()) {
            String label = in.label(expected);
            if (in.at(',') || in.at('}')) {
                return new Coordinate.Label(dimension, label);
            }
            if (in.at(':')) {
                throw in.unexpected("',' or '}'");
            }
            in.offset = start;
        } else if (in.at('}') || in.at(',') || in.offset == in.text.length()) {
            throw in.unexpected(expected);
        }
        return new Coordinate.Computed(dimension, in.expression(0));
    }

    private Expression next() {
        comma();
        return in.expression(0);
    }

    private void comma() {
        in.expect(',', "an operator or ','");
    }

    private Lambda lambda(int parameters) {
        comma();
        int start = in.offset;
        if (!in.atWord("f")) {
            throw in.unexpected("a function such as f(x)(x + 1)");
        }
        in.word();
        List<String> names = names();
        if (names.size() != parameters) {
            in.offset = start;
            throw in.problem(
                    "a function of %d value%s is expected, not of %d"
                            .formatted(parameters, parameters == 1 ? "" : "s", names.size()));
        }
        in.expect('(');
        Expression body = in.expressionWith(names, true);
        in.expect(')', "an operator or ')'");
        return new Lambda(names, body);
    }

    private List<String> names() {
        if (!in.accept('(')) {
            return List.of(in.nameOr("a name"));
        }
        var names = new ArrayList<String>();
        do {
            names.add(in.nameOr("a name"));
        } while (in.accept(','));
        in.expect(')', "',' or ')'");
        if (names.stream().distinct().count() != names.size()) {
            throw in.problem("a name is declared twice");
        }
        return names;
    }

    private String dimension() {
        comma();
        return in.nameOr("a dimension");
    }

    private List<String> dimensions() {
        var names = new ArrayList<String>();
        while (in.accept(',')) {
            names.add(in.nameOr("a dimension"));
        }
        return names;
    }

    private TensorAggregator aggregator() {
        int start = in.offset;
        Optional<TensorAggregator> aggregatorNamed =
                TensorAggregator.named(in.nameOr("an aggregator"));
        if (aggregatorNamed.isEmpty()) {
            in.offset = start;
            throw in.unexpected("one of " + Arrays.toString(TensorAggregator.values()));
        }
        return aggregatorNamed.get();
    }

    private CellType cellType() {
        int start = in.offset;
        String name = in.nameOr("a cell type");
        for (CellType type : CellType.values()) {
            if (type.name().toLowerCase(Locale.ROOT).equals(name)) {
                return type;
            }
        }
        in.offset = start;
        throw in.unexpected("double, float, bfloat16 or int8");
    }

    private boolean choice(String first, String second) {
        int start = in.offset;
        String word = in.nameOr(first + " or " + second);
        if (!word.equals(first) && !word.equals(second)) {
            in.offset = start;
            throw in.unexpected(first + " or " + second);
        }
        return word.equals(first);
    }
}
