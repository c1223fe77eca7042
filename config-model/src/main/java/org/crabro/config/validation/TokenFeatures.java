package org.crabro.config.validation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.crabro.ranking.expression.BinaryOperator;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.Expression.Binary;
import org.crabro.ranking.expression.Expression.Constant;
import org.crabro.ranking.expression.Expression.Feature;
import org.crabro.ranking.expression.Expression.If;
import org.crabro.ranking.expression.TensorExpression;
import org.crabro.ranking.expression.TensorExpression.Coordinate;
import org.crabro.ranking.expression.TensorExpression.Lambda;
import org.crabro.ranking.expression.TensorExpression.Variable;
import org.crabro.ranking.tensor.TensorAggregator;
import org.crabro.ranking.type.ExpressionTypeException;
import org.crabro.tensor.TensorType;

/**
 * Expands {@code tokenInputIds(length, a, b, ...)} and similar features: the inputs of a language
 * model for texts, computed from tensors of their tokens. Each text ends at its first 0.
 *
 * <pre>
 *   customTokenInputIds(7, 8, 9, a, b)   7 a a a 8 b b 8 0
 *   tokenTypeIds(9, a, b)                0 0 0 0 0 1 1 1 0
 *   tokenAttentionMask(9, a, b)          1 1 1 1 1 1 1 1 0
 * </pre>
 */
final class TokenFeatures {
    /**
     * The default token before all texts; {@link #SEPARATOR} is the default token after each text.
     */
    private static final double START = 101;

    private static final double SEPARATOR = 102;

    /** Longer than the input of any model. */
    private static final int LENGTH_MAX = 65_536;

    private static final String PLACE = "d1";

    /** How each is written. */
    private static final Map<String, String> FORMS =
            Map.of(
                    "tokenInputIds", "tokenInputIds(length, tensor, …)",
                    "customTokenInputIds",
                            "customTokenInputIds(start, separator, length, tensor, …)",
                    "tokenTypeIds", "tokenTypeIds(length, tensor, …)",
                    "tokenAttentionMask", "tokenAttentionMask(length, tensor, …)");

    private TokenFeatures() {}

    static boolean contains(String name) {
        return FORMS.containsKey(name);
    }

    /**
     * Returns the expansion of a token feature, or {@code feature} itself if it is another.
     *
     * @param whole expands the names in an expression for a tensor of tokens
     * @throws ExpressionTypeException if the arguments are not valid
     */
    static Expression written(Feature feature, UnaryOperator<Expression> whole) {
        String form = FORMS.get(feature.name());
        if (form == null) {
            return feature;
        }
        List<Expression> given = feature.arguments();
        int numbers = feature.name().equals("customTokenInputIds") ? 3 : 1;
        if (given.size() <= numbers
                || !feature.output().isEmpty()
                || !given.subList(0, numbers).stream().allMatch(Constant.class::isInstance)) {
            throw unfit(feature, form);
        }
        double length = ((Constant) given.get(numbers - 1)).value();
        if (length != Math.rint(length) || length < 1 || length > LENGTH_MAX) {
            throw unfit(feature, form + " with a length from 1 to " + LENGTH_MAX);
        }
        double start = numbers == 1 ? START : ((Constant) given.getFirst()).value();
        double separator = numbers == 1 ? SEPARATOR : ((Constant) given.get(1)).value();
        List<Expression> texts = given.subList(numbers, given.size()).stream().map(whole).toList();
        Expression cell =
                switch (feature.name()) {
                    case "tokenTypeIds" -> types(texts);
                    case "tokenAttentionMask" -> mask(texts);
                    default -> ids(texts, start, separator);
                };
        var type = TensorType.parse("tensor(d0[1],%s[%d])".formatted(PLACE, (int) length));
        return new TensorExpression.Generate(type, new Lambda(List.of("d0", PLACE), cell));
    }

    private static ExpressionTypeException unfit(Feature feature, String form) {
        return new ExpressionTypeException(
                feature.origin(),
                "'%s' is not known in this form; expected %s".formatted(feature, form));
    }

    /** The start, the tokens of each text with a separator after it, then zeros. */
    private static Expression ids(List<Expression> texts, double start, double separator) {
        var ends = ends(texts);
        Expression ids = new Constant(0);
        for (int i = texts.size() - 1; i >= 0; i--) {
            Expression from = i == 0 ? new Constant(1) : after(ends.get(i - 1));
            Expression end = ends.get(i);
            var token =
                    new TensorExpression.Slice(
                            texts.get(i),
                            List.of(
                                    new Coordinate.Computed(
                                            Coordinate.ONLY_INDEXED,
                                            new Binary(
                                                    BinaryOperator.MINUS,
                                                    new Variable(PLACE),
                                                    from))));
            ids =
                    new If(
                            isBefore(end),
                            token,
                            new If(isBefore(after(end)), new Constant(separator), ids));
        }
        return new If(isBefore(new Constant(1)), new Constant(start), ids);
    }

    /** The first text with its start and its end is 0, the others are 1. */
    private static Expression types(List<Expression> texts) {
        List<Expression> ends = ends(texts);
        return new If(
                isBefore(after(ends.getFirst())),
                new Constant(0),
                new If(isBefore(after(ends.getLast())), new Constant(1), new Constant(0)));
    }

    private static Expression mask(List<Expression> texts) {
        return new If(isBefore(after(ends(texts).getLast())), new Constant(1), new Constant(0));
    }

    /** Returns the position of the separator after each text. */
    private static List<Expression> ends(List<Expression> texts) {
        var ends = new ArrayList<Expression>();
        Expression end = new Constant(1);
        for (Expression text : texts) {
            var counted =
                    new TensorExpression.Reduce(
                            new TensorExpression.Map(
                                    text,
                                    new Lambda(
                                            List.of("x"),
                                            new Binary(
                                                    BinaryOperator.GREATER,
                                                    new Variable("x"),
                                                    new Constant(0)))),
                            TensorAggregator.SUM,
                            List.of());
            end = new Binary(BinaryOperator.PLUS, ends.isEmpty() ? end : after(end), counted);
            ends.add(end);
        }
        return ends;
    }

    private static Expression after(Expression place) {
        return new Binary(BinaryOperator.PLUS, place, new Constant(1));
    }

    private static Expression isBefore(Expression place) {
        return new Binary(BinaryOperator.LESS, new Variable(PLACE), place);
    }
}
