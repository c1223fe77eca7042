package org.crabro.ranking.expression;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.crabro.ranking.expression.Expression.Binary;
import org.crabro.ranking.expression.Expression.Call;
import org.crabro.ranking.expression.Expression.Constant;
import org.crabro.ranking.expression.Expression.Feature;
import org.crabro.ranking.expression.Expression.If;
import org.crabro.ranking.expression.Expression.In;
import org.crabro.ranking.expression.Expression.Text;
import org.crabro.ranking.expression.Expression.Unary;
import org.crabro.ranking.expression.TensorExpression.Lambda;
import org.crabro.ranking.expression.TensorExpression.Variable;

/**
 * Renames the parameters of lambda functions, if arguments that replace parameters in their bodies
 * use the same names with another meaning.
 */
final class FreshNames {
    private final Set<String> taken;
    private final Predicate<String> isFunction;

    /**
     * @param taken names with a meaning outside of the body
     * @param isFunction whether a feature is a function, whose arguments are expressions; the
     *     arguments of other features are names
     */
    private FreshNames(Set<String> taken, Predicate<String> isFunction) {
        this.taken = taken;
        this.isFunction = isFunction;
    }

    /** Returns the names of all variables in some expressions. */
    static Set<String> variables(List<Expression> expressions) {
        var names = new HashSet<String>();
        var open = new ArrayDeque<Expression>(expressions);
        while (!open.isEmpty()) {
            Expression next = open.pop();
            if (next instanceof Variable(String name)) {
                names.add(name);
            }
            next.parts().forEach(open::push);
        }
        return names;
    }

    /** Returns a body in which no lambda function has a parameter with a taken name. */
    static Expression of(Expression body, Set<String> taken, Predicate<String> isFunction) {
        if (taken.isEmpty()) {
            return body;
        }
        var all = new HashSet<>(taken);
        all.addAll(variables(List.of(body)));
        var names = new FreshNames(taken, isFunction);
        return names.renamed(body, Map.of(), all);
    }

    private Expression renamed(Expression body, Map<String, String> names, Set<String> all) {
        return switch (body) {
            case Constant _, Text _ -> body;
            case Variable(String name) -> new Variable(names.getOrDefault(name, name));
            case Feature feature ->
                    isFunction.test(feature.name())
                            ? new Feature(
                                    feature.name(),
                                    renamed(feature.arguments(), names, all),
                                    feature.output(),
                                    feature.origin())
                            : feature;
            case Unary(var operator, var operand) ->
                    new Unary(operator, renamed(operand, names, all));
            case Binary(var operator, var left, var right) ->
                    new Binary(operator, renamed(left, names, all), renamed(right, names, all));
            case In(var operand, var choices) -> new In(renamed(operand, names, all), choices);
            case Call(var function, var arguments) ->
                    new Call(function, renamed(arguments, names, all));
            case If(var condition, var then, var otherwise) ->
                    new If(
                            renamed(condition, names, all),
                            renamed(then, names, all),
                            renamed(otherwise, names, all));
            case Expression.Trees trees -> trees.with(part -> renamed(part, names, all));
            case Expression.Onnx onnx -> onnx.with(part -> renamed(part, names, all));
            case TensorExpression.Generate(var type, var function) ->
                    new TensorExpression.Generate(type, renamed(function, names, all));
            case TensorExpression.Map(var tensor, var function) ->
                    new TensorExpression.Map(
                            renamed(tensor, names, all), renamed(function, names, all));
            case TensorExpression.MapSubspaces(var tensor, var function) ->
                    new TensorExpression.MapSubspaces(
                            renamed(tensor, names, all), renamed(function, names, all));
            case TensorExpression.FilterSubspaces(var tensor, var function) ->
                    new TensorExpression.FilterSubspaces(
                            renamed(tensor, names, all), renamed(function, names, all));
            case TensorExpression.Join(var left, var right, var function) ->
                    new TensorExpression.Join(
                            renamed(left, names, all),
                            renamed(right, names, all),
                            renamed(function, names, all));
            case TensorExpression.Merge(var left, var right, var function) ->
                    new TensorExpression.Merge(
                            renamed(left, names, all),
                            renamed(right, names, all),
                            renamed(function, names, all));
            case TensorExpression other -> other.with(part -> renamed(part, names, all));
        };
    }

    private List<Expression> renamed(
            List<Expression> parts, Map<String, String> names, Set<String> all) {
        var others = new ArrayList<Expression>(parts.size());
        for (Expression part : parts) {
            others.add(renamed(part, names, all));
        }
        return others;
    }

    private Lambda renamed(Lambda function, Map<String, String> names, Set<String> all) {
        var inside = new HashMap<>(names);
        var parameters = new ArrayList<String>();
        for (String parameter : function.parameters()) {
            String fresh = parameter;
            while (taken.contains(parameter) && !all.add(fresh)) {
                fresh += "$";
            }
            inside.put(parameter, fresh);
            parameters.add(fresh);
        }
        return new Lambda(parameters, renamed(function.body(), inside, all));
    }
}
