package org.crabro.ranking.expression;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.crabro.ranking.expression.Expression.Binary;
import org.crabro.ranking.expression.Expression.Call;
import org.crabro.ranking.expression.Expression.Constant;
import org.crabro.ranking.expression.Expression.Feature;
import org.crabro.ranking.expression.Expression.If;
import org.crabro.ranking.expression.Expression.In;
import org.crabro.ranking.expression.Expression.Onnx;
import org.crabro.ranking.expression.Expression.Text;
import org.crabro.ranking.expression.Expression.Trees;
import org.crabro.ranking.expression.Expression.Unary;
import org.jspecify.annotations.Nullable;

/**
 * Replaces calls of the functions of a rank profile by their bodies.
 *
 * <p>A function is called as {@code f}, {@code f()} or {@code f(a, b)}. Arguments replace the
 * parameters in the body, also in the arguments of features, so that a field can be passed: {@code
 * score(title)} with {@code function score(field) { expression: 2 * bm25(field) }}. A function has
 * precedence over a feature of the same name, and over a scalar function of the language with the
 * same name and number of arguments. All other functions of the language have precedence over it if
 * they accept the call: {@code sum(a, b)} calls the function of the language, {@code sum(a, b + 1)}
 * does not.
 *
 * {@snippet :
 * var functions = new ProfileFunctions(Map.of("score", ProfileFunctions.Function.parse(
 *         List.of("field"), "2 * bm25(field)")));
 * Expression whole = functions.expand(ExpressionParser.parse("score(title) + 1"));
 * assert ExpressionText.of(whole).equals("2 * bm25(title) + 1");
 * }
 */
public final class ProfileFunctions {
    /** An expression with more nodes after expansion is rejected. */
    static final int MAX_NODES = 100_000;

    /** The maximum depth of calls, far below the limit of the stack. */
    private static final int MAX_CALLS = 100;

    private final Map<String, Function> functions;

    /** How many parameters those have that have a name of the language's. */
    private final Map<String, Set<Integer>> declared;

    private final ExpansionBudget budget;

    /**
     * A function of a profile.
     *
     * @param parameters their names; may be none
     */
    public record Function(List<String> parameters, Expression body) {
        public Function {
            parameters = List.copyOf(parameters);
        }

        /**
         * Returns a function whose body is {@code text}.
         *
         * @throws ExpressionSyntaxException if that is not a valid expression
         */
        public static Function parse(List<String> parameters, String text) {
            return new Function(parameters, ExpressionParser.parse(text));
        }
    }

    /**
     * Takes the functions of a profile by name, inherited ones included. Their bodies may name one
     * another.
     */
    public ProfileFunctions(Map<String, Function> functions) {
        this(functions, new ExpansionBudget(ExpansionBudget.DEFAULT));
    }

    /**
     * @param functions of a profile, by name
     * @param budget limits the expansion of all profiles together
     */
    public ProfileFunctions(Map<String, Function> functions, ExpansionBudget budget) {
        this.functions = Map.copyOf(functions);
        this.declared =
                functions.entrySet().stream()
                        .filter(function -> ExpressionParser.isOfLanguage(function.getKey()))
                        .collect(
                                Collectors.toUnmodifiableMap(
                                        Map.Entry::getKey,
                                        function -> Set.of(function.getValue().parameters.size())));
        this.budget = budget;
    }

    /**
     * Returns {@code expression} with every function call replaced by the body of the function.
     *
     * @throws ExpressionSyntaxException if functions call themselves, get the wrong number of
     *     arguments, or exceed a limit, or if neither a function nor the language accepts a call
     */
    public Expression expand(Expression expression) {
        return new Expansion().expand(expression, Scope.TOP, 1);
    }

    /** Returns the names of the functions. */
    public Set<String> names() {
        return functions.keySet();
    }

    /**
     * The argument for a parameter, and the scope in which its names are resolved.
     *
     * @param variables the names of variables in it that enclosing expressions bind
     */
    private record Argument(Expression written, Scope scope, Set<String> variables) {
        static Argument of(Expression written, Scope scope) {
            Set<String> variables = FreshNames.variables(List.of(written));
            scope.parameters.values().forEach(around -> variables.addAll(around.variables));
            return new Argument(written, scope, variables);
        }
    }

    /** A function that is being replaced, and those around it. */
    private record Active(String name, @Nullable Active around, int depth) {}

    /** The parameters that hold in a body, and the functions that are being replaced around it. */
    private record Scope(Map<String, Argument> parameters, @Nullable Active innermost) {
        static final Scope TOP = new Scope(Map.of(), null);

        boolean isActive(String name) {
            for (Active active = innermost; active != null; active = active.around) {
                if (active.name.equals(name)) {
                    return true;
                }
            }
            return false;
        }

        int depth() {
            return innermost == null ? 0 : innermost.depth;
        }

        Optional<Argument> argument(Expression expression) {
            return expression instanceof Feature(String name, List<Expression> arguments, _, _)
                            && arguments.isEmpty()
                    ? Optional.ofNullable(parameters.get(name))
                    : Optional.empty();
        }
    }

    private final class Expansion {
        private int nodes;

        private Expression expand(Expression expression, Scope scope, int depth) {
            visit(expression, scope);
            if (depth > Expression.MAX_DEPTH) {
                throw problem(expression, "functions nest deeper than " + Expression.MAX_DEPTH);
            }
            return switch (expression) {
                case Constant constant -> constant;
                case Text text -> text;
                case Feature feature -> feature(feature, scope, depth);
                case Unary(UnaryOperator operator, Expression operand) ->
                        new Unary(operator, expand(operand, scope, depth + 1));
                case Binary(BinaryOperator operator, Expression left, Expression right) ->
                        new Binary(
                                operator,
                                expand(left, scope, depth + 1),
                                expand(right, scope, depth + 1));
                case In(Expression operand, List<Expression> choices) ->
                        new In(expand(operand, scope, depth + 1), choices);
                case Call call -> call(call, scope, depth);
                case If(Expression condition, Expression then, Expression otherwise) ->
                        new If(
                                expand(condition, scope, depth + 1),
                                expand(then, scope, depth + 1),
                                expand(otherwise, scope, depth + 1));
                case Trees trees -> trees.with(part -> expand(part, scope, depth + 1));
                case Onnx onnx -> onnx.with(part -> expand(part, scope, depth + 1));
                case TensorExpression tensor -> tensor.with(part -> expand(part, scope, depth + 1));
            };
        }

        /** Counts a visit of {@code expression}, and rejects it above the limits. */
        private void visit(Expression expression, Scope scope) {
            if (++nodes > MAX_NODES) {
                throw problem(expression, "functions grow to more than " + MAX_NODES + " nodes");
            }
            // Each node costs a walk over the functions that are being replaced around it.
            if (!budget.take(1 + scope.depth())) {
                throw problem(
                        expression,
                        "the functions of all rank profiles together are too large to expand");
            }
        }

        private Expression call(Call call, Scope scope, int depth) {
            String name = call.function().toString();
            Function declared = functions.get(name);
            if (declared != null
                    && declared.parameters.size() == call.arguments().size()
                    && !scope.isActive(name)) {
                return apply(name, declared, call, call.arguments(), scope, depth);
            }
            // No stream: its frames would use up the stack where calls nest deep.
            var arguments = new ArrayList<Expression>();
            for (Expression argument : call.arguments()) {
                arguments.add(expand(argument, scope, depth + 1));
            }
            return new Call(call.function(), arguments);
        }

        private Expression feature(Feature feature, Scope scope, int depth) {
            Optional<Argument> argument = scope.argument(feature);
            if (argument.isPresent() && feature.output().isEmpty()) {
                return expand(argument.get().written, argument.get().scope, depth + 1);
            }
            if (feature.name().equals("rankingExpression") && feature.output().isEmpty()) {
                return script(feature, scope, depth);
            }
            Function declared = functions.get(feature.name());
            if (declared != null
                    && feature.output().isEmpty()
                    && !isWrapped(feature, declared, scope)) {
                return apply(feature.name(), declared, feature, feature.arguments(), scope, depth);
            }
            return handOver(feature, scope);
        }

        /**
         * Returns whether {@code feature} is in the body of a function of its name, with another
         * number of arguments: {@code function freshness() { expression: freshness(time) }}.
         */
        private boolean isWrapped(Feature feature, Function declared, Scope scope) {
            return scope.isActive(feature.name())
                    && declared.parameters.size() != feature.arguments().size();
        }

        /** {@code rankingExpression("a + b")} holds an expression, or the name of a function. */
        private Expression script(Feature feature, Scope scope, int depth) {
            if (feature.arguments().size() != 1) {
                throw problem(feature, "'rankingExpression' takes 1 argument");
            }
            Expression argument = feature.arguments().getFirst();
            Expression held =
                    argument instanceof Text(String text)
                            ? ExpressionParser.parse(text, declared)
                            : argument;
            return expand(held, scope, depth + 1);
        }

        private Expression apply(
                String name,
                Function function,
                Expression caller,
                List<Expression> arguments,
                Scope scope,
                int depth) {
            if (scope.isActive(name)) {
                throw problem(caller, "function '" + name + "' calls itself");
            }
            if (scope.depth() == MAX_CALLS) {
                throw problem(caller, "functions call one another deeper than " + MAX_CALLS);
            }
            if (arguments.size() != function.parameters.size()) {
                throw problem(
                        caller,
                        "function '%s' has %s, but %s given"
                                .formatted(
                                        name,
                                        count(function.parameters, "parameter"),
                                        count(arguments, "argument")
                                                + (arguments.size() == 1 ? " is" : " are")));
            }
            var parameters =
                    IntStream.range(0, arguments.size())
                            .boxed()
                            .collect(
                                    Collectors.toMap(
                                            function.parameters::get,
                                            i -> Argument.of(arguments.get(i), scope)));
            var active = new Active(name, scope.innermost, scope.depth() + 1);
            var variables = new HashSet<String>();
            parameters.values().forEach(argument -> variables.addAll(argument.variables));
            Expression body = FreshNames.of(function.body, variables, functions::containsKey);
            return expand(body, new Scope(parameters, active), depth + 1);
        }

        /** The arguments of a feature are names, not values: parameters alone are replaced. */
        private Feature handOver(Feature feature, Scope scope) {
            ExpressionParser.refusal(feature, declared)
                    .ifPresent(refusal -> {
                        throw refusal;
                    });
            if (feature.arguments().isEmpty()) {
                return feature;
            }
            List<Expression> arguments =
                    feature.arguments().stream().map(a -> written(a, scope)).toList();
            return new Feature(feature.name(), arguments, feature.output(), feature.origin());
        }

        private Expression written(Expression argument, Scope scope) {
            visit(argument, scope);
            Optional<Argument> handed = scope.argument(argument);
            if (handed.isPresent()) {
                return written(handed.get().written, handed.get().scope);
            }
            return argument instanceof Feature inner ? handOver(inner, scope) : argument;
        }
    }

    private static String count(List<?> things, String thing) {
        return things.size() + " " + thing + (things.size() == 1 ? "" : "s");
    }

    private static ExpressionSyntaxException problem(Expression where, String problem) {
        ExpressionPosition origin =
                where.features().stream()
                        .findFirst()
                        .map(Feature::origin)
                        .orElse(ExpressionPosition.UNKNOWN);
        return new ExpressionSyntaxException(origin, problem);
    }
}
