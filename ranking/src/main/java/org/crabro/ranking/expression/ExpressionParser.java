package org.crabro.ranking.expression;

import static org.crabro.ranking.expression.BinaryOperator.COMPARISON;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.ranking.expression.Expression.Binary;
import org.crabro.ranking.expression.Expression.Call;
import org.crabro.ranking.expression.Expression.Constant;
import org.crabro.ranking.expression.Expression.Feature;
import org.crabro.ranking.expression.Expression.If;
import org.crabro.ranking.expression.Expression.In;
import org.crabro.ranking.expression.Expression.Text;
import org.crabro.ranking.expression.Expression.Unary;

/**
 * Parses rank expressions.
 *
 * <pre>
 *   expression := value { operator value | "in" "[" choice { "," choice } "]" }
 *   operator   := by precedence, tightest first, left-associative except "^":
 *                 "^"   "*" "/" "%"   "+" "-"   "==" "!=" "~=" "&lt;" "&lt;=" "&gt;" "&gt;=" (and "in")
 *                 "&amp;&amp;"   "||"
 *   value      := { "-" | "!" } primary { slice }
 *   primary    := number | string | "true" | "false" | if | switch | call | feature | "$" name
 *               | "(" expression ")" | tensor
 *   if         := "if" "(" expression "," expression "," expression [ "," number ] ")"
 *   switch     := "switch" "(" expression ")" "{" { "case" expression ":" expression "," }
 *                 "default" ":" expression "}"
 *   call       := function "(" expression [ "," expression ] ")"
 *   feature    := name [ "(" [ expression { "," expression } ] ")" ] [ "." output ]
 *   output     := name { "." name }
 *   choice     := [ "-" ] number | string
 *   number     := digits [ "." { digit } ] [ ( "e" | "E" ) [ "+" | "-" ] digits ]
 *   name       := ( letter | digit | "_" | "@" ) { letter | digit | "_" | "@" | "$" }
 * </pre>
 *
 * <p>Signs bind tighter than {@code ^}: {@code -2^2} is 4. {@code $x} is an old form of {@code
 * query(x)}. The fourth part of an {@code if}, the probability of its condition, is ignored. White
 * space and comments, from {@code #} to the end of the line, are allowed between tokens. A number
 * above the largest double is infinite. {@link TensorSyntax} describes the functions of tensors.
 */
public final class ExpressionParser extends Tokens {
    /** The maximum nesting of brackets and signs; the parser recurses for each. */
    private static final int MAX_NESTING = 200;

    /** The maximum number of values of an expression, such as numbers, names and calls. */
    static final int MAX_VALUES = ProfileFunctions.MAX_NODES;

    /** The maximum number of cells of all tensors that an expression writes out. */
    static final int MAX_CELLS = 1_000_000;

    private static final Set<String> KEYWORDS = Set.of("if", "switch", "tensor");

    private final TensorSyntax tensors = new TensorSyntax(this);
    private final Map<String, Set<Integer>> declared;

    /**
     * The reasons why a text at a position is no call of the language, by position. Each position
     * is tried once, even if the text around it is parsed repeatedly.
     */
    private final Map<Integer, ExpressionSyntaxException> refusals = new HashMap<>();

    private Set<String> variables = Set.of();
    private int nesting;
    private int operands;

    // Parts that are parsed again count once.
    private int values;
    private int cells;

    private ExpressionParser(String text, Map<String, Set<Integer>> declared) {
        super(text);
        this.declared = declared;
    }

    /**
     * Returns the expression written as {@code text}.
     *
     * @throws ExpressionSyntaxException at the first character that does not fit the grammar
     */
    public static Expression parse(String text) {
        return parse(text, Map.of());
    }

    /**
     * Returns the expression written as {@code text}, in which a call that the language's function
     * of that name cannot take may be one of a function that is declared with its name. {@link
     * ProfileFunctions} put that in.
     *
     * @param declared with how many parameters functions are declared that have a name of the
     *     language's
     * @throws ExpressionSyntaxException at the first character that does not fit the grammar
     */
    public static Expression parse(String text, Map<String, Set<Integer>> declared) {
        var parser = new ExpressionParser(text, declared);
        parser.skipSpace();
        Expression expression = parser.expression(0);
        if (parser.offset < text.length()) {
            throw parser.unexpected("an operator or the end");
        }
        if (expression.depth() > Expression.MAX_DEPTH) {
            parser.offset = 0;
            throw parser.problem("the expression is deeper than " + Expression.MAX_DEPTH);
        }
        return expression;
    }

    Expression expression(int precedence) {
        Expression left = value();
        while (true) {
            if (precedence <= COMPARISON && atWord("in")) {
                word();
                left = new In(left, choices());
                continue;
            }
            Optional<BinaryOperator> parsed = operator();
            if (parsed.isEmpty() || parsed.get().precedence() < precedence) {
                return left;
            }
            BinaryOperator operator = parsed.get();
            offset += operator.symbol().length();
            skipSpace();
            int tighter = operator.precedence() + (operator.isRightAssociative() ? 0 : 1);
            // A row of powers is read from its end, so that it nests as deep as it is long.
            if (++operands > MAX_NESTING) {
                throw problem("nested deeper than " + MAX_NESTING);
            }
            left = new Binary(operator, left, expression(tighter));
            operands--;
        }
    }

    /** Symbols that start with another one are declared before it. */
    private Optional<BinaryOperator> operator() {
        for (BinaryOperator operator : BinaryOperator.values()) {
            if (text.startsWith(operator.symbol(), offset)) {
                return Optional.of(operator);
            }
        }
        return Optional.empty();
    }

    private List<Expression> choices() {
        expect('[');
        var choices = new ArrayList<Expression>();
        do {
            countValue();
            choices.add(choice());
        } while (accept(','));
        expect(']', "',' or ']'");
        return choices;
    }

    private Expression choice() {
        if (at('"') || at('\'')) {
            return new Text(string());
        }
        boolean negative = accept('-');
        if (!atDigit() || numberEnd() < nameEnd()) {
            throw unexpected("a number or a string");
        }
        double value = number();
        return new Constant(negative ? -value : value);
    }

    private Expression value() {
        countValue();
        if (++nesting > MAX_NESTING) {
            throw problem("nested deeper than " + MAX_NESTING);
        }
        Expression value;
        if (accept('-')) {
            value = new Unary(UnaryOperator.MINUS, value());
        } else if (accept('!')) {
            value = new Unary(UnaryOperator.NOT, value());
        } else {
            value = primary();
            while (at('{') || at('[')) {
                value = tensors.slice(value);
            }
        }
        nesting--;
        return value;
    }

    private void countValue() {
        if (++values > MAX_VALUES) {
            throw problem("the expression has more than %,d values".formatted(MAX_VALUES));
        }
    }

    /** Parses a cell of a tensor that is written out. Numbers are no values of the expression. */
    Expression cell() {
        if (++cells > MAX_CELLS) {
            throw problem(
                    "the tensors of the expression have more than %,d cells".formatted(MAX_CELLS));
        }
        int valuesAround = values;
        Expression cell = expression(0);
        if (cell instanceof Constant || cell instanceof Unary(_, Constant _)) {
            values = valuesAround;
        }
        return cell;
    }

    private Expression primary() {
        if (accept('(')) {
            Expression inner = expression(0);
            expect(')', "an operator or ')'");
            return inner;
        }
        if (at('"') || at('\'')) {
            return new Text(string());
        }
        if (at('{')) {
            return TensorLiteral.withoutType(this);
        }
        if (at('[')) {
            throw problem("a tensor needs its type in front, such as tensor(x[2]):[1,2]");
        }
        if (at('$')) {
            int start = offset;
            accept('$');
            if (atDigit()) {
                // A name of digits is printed as a number is, and would read back as another.
                throw unexpected("a name");
            }
            List<Expression> argument = List.of(plain(offset, name()));
            return new Feature("query", argument, "", new ExpressionPosition(text, start));
        }
        if (atDigit() && numberEnd() >= nameEnd()) {
            return new Constant(number());
        }
        return named();
    }

    private Expression named() {
        int start = offset;
        String name = nameOr("a value");
        return at('(') && declared.containsKey(name)
                ? ofEither(name, declared.get(name), start)
                : named(name, start);
    }

    /** Parses a call of the language, or else one of a declared function. */
    private Expression ofEither(String name, Set<Integer> parameterCounts, int start) {
        int open = offset;
        int nestingAround = nesting;
        int operandsAround = operands;
        int valuesAround = values;
        Set<String> variablesAround = variables;
        ExpressionSyntaxException refusal = refusals.get(start);
        if (refusal == null) {
            try {
                return named(name, start);
            } catch (ExpressionSyntaxException e) {
                refusal = e;
                refusals.put(start, e);
            }
            offset = open;
            nesting = nestingAround;
            operands = operandsAround;
            values = valuesAround;
            variables = variablesAround;
        }
        try {
            Feature call = feature(name, start);
            if (call.output().isEmpty() && parameterCounts.contains(call.arguments().size())) {
                return call;
            }
        } catch (ExpressionSyntaxException _) {
            // If neither parses, report what the language expects.
        }
        throw refusal;
    }

    private Expression named(String name, int start) {
        if (name.equals("true") || name.equals("false")) {
            return new Constant(name.equals("true") ? 1 : 0);
        }
        if (at('(')) {
            if (name.equals("if")) {
                return conditional();
            }
            Optional<ScalarFunction> function = ScalarFunction.named(name);
            if (function.isPresent()) {
                return call(function.get(), start);
            }
        }
        if (at('(') && name.equals("switch")) {
            return choice(start);
        }
        if (name.equals("tensor") && (at('(') || at('<'))) {
            return tensors.tensor(start);
        }
        if (at('(') && TensorSyntax.FUNCTIONS.contains(name)) {
            return tensors.function(name);
        }
        if (at('(') && name.equals("random") && tensors.atDimensions()) {
            return tensors.random();
        }
        if (at('<') && tensors.atCells(name)) {
            return tensors.generatedOfCells(name);
        }
        if (variables.contains(name) && !at('(') && !at('.')) {
            return new TensorExpression.Variable(name);
        }
        return feature(name, start);
    }

    private Feature feature(String name, int start) {
        List<Expression> arguments = at('(') ? arguments() : List.of();
        if (at('(')) {
            throw problem(
                    "a lambda function can only be an argument of map, join and similar functions");
        }
        return new Feature(name, arguments, output(), new ExpressionPosition(text, start));
    }

    /**
     * Parses an expression with bound names.
     *
     * @param closed whether only these names are bound, without those of the enclosing expression
     */
    Expression expressionWith(List<String> names, boolean closed) {
        Set<String> around = variables;
        var inside = new HashSet<>(names);
        if (!closed) {
            inside.addAll(around);
        }
        variables = inside;
        Expression expression = expression(0);
        variables = around;
        return expression;
    }

    /** Returns whether the language has a function of {@code name}, or a word before brackets. */
    public static boolean isOfLanguage(String name) {
        return KEYWORDS.contains(name)
                || TensorSyntax.FUNCTIONS.contains(name)
                || ScalarFunction.named(name).isPresent();
    }

    /**
     * Returns the error of the language for {@code call}, if it has the name of a function of the
     * language but is not a valid call of it, and no declared function accepts it.
     *
     * @param declared the other functions that its arguments may call
     */
    static Optional<ExpressionSyntaxException> refusal(
            Feature call, Map<String, Set<Integer>> declared) {
        ExpressionPosition origin = call.origin();
        if (!isOfLanguage(call.name()) || !origin.text().startsWith(call.name(), origin.offset())) {
            return Optional.empty();
        }
        var others = new HashMap<>(declared);
        others.remove(call.name());
        var parser = new ExpressionParser(origin.text(), others);
        parser.offset = origin.offset();
        try {
            parser.named();
            return Optional.empty();
        } catch (ExpressionSyntaxException e) {
            return Optional.of(e);
        }
    }

    /** Parses a {@code switch} as a chain of {@code if}s. */
    private Expression choice(int start) {
        expect('(');
        Expression value = expression(0);
        expect(')', "an operator or ')'");
        expect('{');
        var cases = new ArrayList<Expression>();
        while (atWord("case")) {
            word();
            cases.add(expression(0));
            expect(':', "an operator or ':'");
            cases.add(expression(0));
            expect(',', "an operator or ','");
        }
        if (cases.isEmpty()) {
            throw unexpected("'case'");
        }
        if (!atWord("default")) {
            throw unexpected("'case' or 'default'");
        }
        word();
        expect(':');
        Expression taken = expression(0);
        expect('}', "an operator or '}'");
        if (cases.size() / 2 > MAX_NESTING) {
            offset = start;
            throw problem("more than " + MAX_NESTING + " cases");
        }
        for (int i = cases.size() - 2; i >= 0; i -= 2) {
            Expression isEqual = new Binary(BinaryOperator.EQUAL, value, cases.get(i));
            taken = new If(isEqual, cases.get(i + 1), taken);
        }
        return taken;
    }

    private If conditional() {
        expect('(');
        Expression condition = expression(0);
        expect(',', "an operator or ','");
        Expression then = expression(0);
        expect(',', "an operator or ','");
        Expression otherwise = expression(0);
        if (accept(',')) {
            if (!atDigit()) {
                throw unexpected("a number");
            }
            number();
        }
        expect(')', "an operator, ',' or ')'");
        return new If(condition, then, otherwise);
    }

    private Call call(ScalarFunction function, int start) {
        List<Expression> arguments = arguments();
        if (arguments.size() != function.arity()) {
            offset = start;
            throw problem(
                    "'%s' takes %d %s, but %d %s given"
                            .formatted(
                                    function,
                                    function.arity(),
                                    function.arity() == 1 ? "argument" : "arguments",
                                    arguments.size(),
                                    arguments.size() == 1 ? "is" : "are"));
        }
        return new Call(function, arguments);
    }

    private List<Expression> arguments() {
        expect('(');
        var arguments = new ArrayList<Expression>();
        if (accept(')')) {
            return arguments;
        }
        do {
            Expression argument = expression(0);
            if (!at(':')) {
                arguments.add(argument);
            } else if (argument instanceof Feature(String name, var none, String output, var from)
                    && none.isEmpty()
                    && output.isEmpty()) {
                expect(':');
                addNamed(arguments, name, from);
            } else {
                throw problem("expected the name of an argument in front of ':'");
            }
        } while (accept(','));
        expect(')', "an operator, ',' or ')'");
        return arguments;
    }

    /** Adds the value of {@code field} as the first argument; the others keep their names. */
    private void addNamed(List<Expression> arguments, String name, ExpressionPosition from) {
        Expression value = expression(0);
        if (name.equals("field")) {
            arguments.addFirst(value);
            return;
        }
        arguments.add(new Feature(name + ":" + named(value, name), List.of(), "", from));
    }

    private String named(Expression value, String name) {
        if (value instanceof Expression.Text(String written)) {
            return written;
        }
        if (value instanceof Feature feature && feature.arguments().isEmpty()) {
            return feature.toString();
        }
        throw problem("expected a name after '" + name + ":'");
    }

    private String output() {
        if (!accept('.')) {
            return "";
        }
        var output = new StringBuilder(nameOr("the name of an output"));
        while (accept('.')) {
            output.append('.').append(nameOr("the name of an output"));
        }
        return output.toString();
    }

    private Feature plain(int start, String name) {
        return new Feature(name, List.of(), "", new ExpressionPosition(text, start));
    }
}
