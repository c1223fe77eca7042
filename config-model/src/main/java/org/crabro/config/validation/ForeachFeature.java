package org.crabro.config.validation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.crabro.config.schema.SchemaField;
import org.crabro.ranking.expression.BinaryOperator;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.Expression.Binary;
import org.crabro.ranking.expression.Expression.Call;
import org.crabro.ranking.expression.Expression.Constant;
import org.crabro.ranking.expression.Expression.Feature;
import org.crabro.ranking.expression.Expression.If;
import org.crabro.ranking.expression.Expression.Text;
import org.crabro.ranking.expression.ExpressionParser;
import org.crabro.ranking.expression.ExpressionSyntaxException;
import org.crabro.ranking.expression.ExpressionText;
import org.crabro.ranking.expression.ScalarFunction;
import org.crabro.ranking.type.ExpressionTypeException;

/**
 * Expands {@code foreach(dimension, variable, feature, condition, operation)}: the feature is
 * computed for each term, field or attribute, and the values that meet the condition are combined.
 * The feature can be an expression, call functions of the profile, and contain another {@code
 * foreach}.
 */
final class ForeachFeature {
    static final String NAME = "foreach";

    private static final Pattern CONDITION = Pattern.compile("\\s*([<>])\\s*(\\S+)\\s*");
    private static final Set<String> OPERATIONS =
            Set.of("sum", "product", "average", "max", "min", "count");
    private static final int TERMS = 16;

    /**
     * The highest number of terms; a higher one would expand to an expression too large to read.
     */
    private static final int TERMS_MAX = 400;

    /** A function that contains {@code foreach} can call itself, so the depth is limited. */
    private static final int DEPTH_MAX = 8;

    private final Map<String, SchemaField> fields;
    private final Map<String, String> properties;
    private final UnaryOperator<Expression> expansion;

    /**
     * @param expansion inserts functions and constants into an expression
     */
    ForeachFeature(
            Map<String, SchemaField> fields,
            Map<String, String> properties,
            UnaryOperator<Expression> expansion) {
        this.fields = fields;
        this.properties = properties;
        this.expansion = expansion;
    }

    /**
     * Returns the expansion of a {@code foreach} feature, or {@code feature} itself if it is
     * another.
     *
     * @throws ExpressionTypeException if the arguments are not valid
     */
    Expression written(Feature feature) {
        return written(feature, 1);
    }

    private Expression written(Feature feature, int depth) {
        if (!feature.name().equals(NAME)) {
            return feature;
        }
        if (depth > DEPTH_MAX) {
            throw new ExpressionTypeException(
                    feature.origin(), "'foreach' nests deeper than " + DEPTH_MAX);
        }
        List<Expression> given = feature.arguments();
        if (given.size() != 5 || !feature.output().isEmpty()) {
            throw new ExpressionTypeException(
                    feature.origin(),
                    "'foreach' takes a dimension, a variable, a feature, a condition and an operation");
        }
        String operation = text(given.get(4));
        if (!OPERATIONS.contains(operation)) {
            throw new ExpressionTypeException(
                    feature.origin(),
                    "'%s' is no operation of 'foreach': expected sum, product, average, max, min or count"
                            .formatted(operation));
        }
        String variable = text(given.get(1));
        Pattern name = Pattern.compile("\\b" + Pattern.quote(variable) + "\\b");
        var parts = new ArrayList<Part>();
        for (String value : values(feature, text(given.getFirst()))) {
            String written =
                    name.matcher(text(given.get(2))).replaceAll(Matcher.quoteReplacement(value));
            Expression each = parsed(feature, written, depth);
            parts.add(new Part(each, condition(feature, given.get(3), each)));
        }
        return together(operation, parts);
    }

    /**
     * The feature of one term, field or attribute, and its condition; the constant 1 is always
     * true.
     */
    private record Part(Expression value, Expression counts) {
        Expression or(double otherwise) {
            return counts.equals(new Constant(1))
                    ? value
                    : new If(counts, value, new Constant(otherwise));
        }
    }

    private static String text(Expression argument) {
        return argument instanceof Text(String text) ? text : ExpressionText.of(argument);
    }

    private List<String> values(Feature feature, String dimension) {
        return switch (dimension) {
            case "terms" ->
                    IntStream.range(0, termCount(feature)).mapToObj(Integer::toString).toList();
            case "fields" -> names(true);
            case "attributes" -> names(false);
            default ->
                    throw new ExpressionTypeException(
                            feature.origin(),
                            "'foreach' iterates over terms, fields or attributes, not '%s'"
                                    .formatted(dimension));
        };
    }

    private int termCount(Feature feature) {
        String said = properties.get("foreach.maxTerms");
        if (said == null) {
            return TERMS;
        }
        if (said.matches("[0-9]{1,4}") && Integer.parseInt(said) <= TERMS_MAX) {
            return Integer.parseInt(said);
        }
        throw new ExpressionTypeException(
                feature.origin(),
                "rank property 'foreach.maxTerms' is '%s' where a number up to %d is expected"
                        .formatted(said, TERMS_MAX));
    }

    private List<String> names(boolean texts) {
        var names = new ArrayList<String>();
        fields.forEach((name, field) -> {
            boolean isText = field.isIndexedText();
            if (texts ? isText : !isText && SchemaCompiler.isAttribute(field)) {
                names.add(name);
            }
        });
        return names;
    }

    private Expression parsed(Feature feature, String text, int depth) {
        try {
            return expansion
                    .apply(ExpressionParser.parse(text))
                    .replacing(inner -> written(inner, depth + 1));
        } catch (ExpressionSyntaxException e) {
            throw new ExpressionTypeException(
                    feature.origin(), "'%s' in 'foreach': %s".formatted(text, e.problem()));
        }
    }

    private static Expression condition(Feature feature, Expression given, Expression value) {
        String text = text(given);
        if (text.equals("true") || given.equals(new Constant(1))) {
            return new Constant(1);
        }
        Matcher condition = CONDITION.matcher(text);
        try {
            if (condition.matches()) {
                return new Binary(
                        condition.group(1).equals("<")
                                ? BinaryOperator.LESS
                                : BinaryOperator.GREATER,
                        value,
                        new Constant(Double.parseDouble(condition.group(2))));
            }
        } catch (NumberFormatException _) {
            // Reported below with all other invalid conditions.
        }
        throw new ExpressionTypeException(
                feature.origin(),
                "'%s' is no condition of 'foreach': expected true, \"<number\" or \">number\""
                        .formatted(text));
    }

    private static Expression together(String operation, List<Part> parts) {
        return switch (operation) {
            case "sum" -> joined(parts, 0, false, BinaryOperator.PLUS);
            case "product" -> joined(parts, 1, false, BinaryOperator.MULTIPLY);
            case "count" -> joined(parts, 0, true, BinaryOperator.PLUS);
            case "average" -> {
                Expression count = joined(parts, 0, true, BinaryOperator.PLUS);
                Expression sum = joined(parts, 0, false, BinaryOperator.PLUS);
                yield new If(
                        new Binary(BinaryOperator.GREATER, count, new Constant(0)),
                        new Binary(BinaryOperator.DIVIDE, sum, count),
                        new Constant(0));
            }
            case "max" -> extreme(parts, -Double.MAX_VALUE, ScalarFunction.MAX);
            default -> extreme(parts, Double.MAX_VALUE, ScalarFunction.MIN);
        };
    }

    private static Expression joined(
            List<Part> parts, double none, boolean counts, BinaryOperator operator) {
        Expression all = new Constant(none);
        for (Part part : parts) {
            Expression each =
                    counts ? new If(part.counts, new Constant(1), new Constant(0)) : part.or(none);
            all = all.equals(new Constant(none)) ? each : new Binary(operator, all, each);
        }
        return all;
    }

    private static Expression extreme(List<Part> parts, double none, ScalarFunction function) {
        Expression all = new Constant(none);
        for (Part part : parts) {
            all = new Call(function, List.of(all, part.or(none)));
        }
        return all;
    }
}
