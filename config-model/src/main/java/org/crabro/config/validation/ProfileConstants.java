package org.crabro.config.validation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.Expression.Binary;
import org.crabro.ranking.expression.Expression.Call;
import org.crabro.ranking.expression.Expression.Constant;
import org.crabro.ranking.expression.Expression.Feature;
import org.crabro.ranking.expression.Expression.If;
import org.crabro.ranking.expression.Expression.In;
import org.crabro.ranking.expression.Expression.Text;
import org.crabro.ranking.expression.Expression.Unary;

/** Puts the constants of a rank profile where an expression says {@code constant(name)}. */
final class ProfileConstants {
    private final Map<String, Double> values;

    ProfileConstants(Map<String, Double> values) {
        this.values = values;
    }

    /** Returns {@code expression}; constants that there are not stay what they are. */
    Expression putInto(Expression expression) {
        return switch (expression) {
            case Constant constant -> constant;
            case Text text -> text;
            case Feature feature -> value(feature);
            case Unary(var operator, var operand) -> new Unary(operator, putInto(operand));
            case Binary(var operator, var left, var right) ->
                    new Binary(operator, putInto(left), putInto(right));
            case In(var operand, var choices) -> new In(putInto(operand), choices);
            case Call(var function, var arguments) -> new Call(function, all(arguments));
            case If(var condition, var then, var otherwise) ->
                    new If(putInto(condition), putInto(then), putInto(otherwise));
        };
    }

    private List<Expression> all(List<Expression> expressions) {
        var all = new ArrayList<Expression>();
        expressions.forEach(expression -> all.add(putInto(expression)));
        return all;
    }

    private Expression value(Feature feature) {
        if (!feature.name().equals("constant") || feature.arguments().size() != 1) {
            return feature;
        }
        Double value = values.get(feature.arguments().getFirst().toString());
        return value == null ? feature : new Constant(value);
    }
}
