package org.crabro.ranking.expression;

import static org.crabro.ranking.expression.BinaryOperator.COMPARISON;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
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
 *   value      := { "-" | "!" } primary
 *   primary    := number | string | "true" | "false" | if | call | feature | "$" name
 *               | "(" expression ")"
 *   if         := "if" "(" expression "," expression "," expression [ "," number ] ")"
 *   call       := function "(" expression [ "," expression ] ")"
 *   feature    := name [ "(" [ expression { "," expression } ] ")" ] [ "." output ]
 *   output     := name { "." name }
 *   choice     := [ "-" ] number | string
 *   number     := digits [ "." { digit } ] [ ( "e" | "E" ) [ "+" | "-" ] digits ]
 *   name       := ( letter | digit | "_" | "@" ) { letter | digit | "_" | "@" | "$" }
 * </pre>
 *
 * <p>Signs bind tighter than {@code ^}: {@code -2^2} is 4. {@code $x} is old for {@code query(x)}.
 * The fourth part of an {@code if}, how likely its condition holds, is read and dropped. White
 * space and comments, from {@code #} to the end of the line, may stand between all of these. What
 * works on tensors, and {@code switch}, is told apart and refused as not built yet.
 */
public final class ExpressionParser {
    /** Brackets and signs inside one another; the parser recurses for each. */
    private static final int MAX_NESTING = 200;

    private static final Set<String> TENSOR_FUNCTIONS =
            Set.of(
                    """
                    argmax argmin avg cell_cast cell_order concat cosine_similarity count diag \
                    euclidean_distance expand filter_subspaces join l1_normalize l2_normalize map \
                    map_subspaces matmul median merge prod range reduce rename softmax sum tensor \
                    top unpack_bits xw_plus_b\
                    """
                            .split(" "));

    private final String text;
    private int offset;
    private int nesting;
    private int operands;

    private ExpressionParser(String text) {
        this.text = text;
    }

    /**
     * Returns the expression written as {@code text}.
     *
     * @throws ExpressionSyntaxException at the first character that does not fit the grammar
     */
    public static Expression parse(String text) {
        var parser = new ExpressionParser(text);
        parser.skipSpace();
        Expression expression = parser.expression(0);
        if (parser.offset < text.length()) {
            throw parser.unexpected("an operator or the end");
        }
        if (depth(expression) > Expression.MAX_DEPTH) {
            parser.offset = 0;
            throw parser.problem("the expression is deeper than " + Expression.MAX_DEPTH);
        }
        return expression;
    }

    private Expression expression(int precedence) {
        Expression left = value();
        while (true) {
            if (precedence <= COMPARISON && atWord("in")) {
                word();
                left = new In(left, choices());
                continue;
            }
            Optional<BinaryOperator> found = operator();
            if (found.isEmpty() || found.get().precedence() < precedence) {
                return left;
            }
            BinaryOperator operator = found.get();
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
            if (at('{') || at('[')) {
                throw problem("slices of tensors are not built yet");
            }
        }
        nesting--;
        return value;
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
        if (at('{') || at('[')) {
            throw problem("tensor literals are not built yet");
        }
        if (at('$')) {
            int start = offset;
            accept('$');
            List<Expression> argument = List.of(plain(offset, name()));
            return new Feature("query", argument, "", new Origin(text, start));
        }
        if (atDigit() && numberEnd() >= nameEnd()) {
            return new Constant(number());
        }
        return named();
    }

    private Expression named() {
        int start = offset;
        String name = nameOr("a value");
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
        refuseUnbuilt(name, start);
        List<Expression> arguments = at('(') ? arguments() : List.of();
        if (at('(')) {
            throw problem("functions without a name are not built yet");
        }
        return new Feature(name, arguments, output(), new Origin(text, start));
    }

    private void refuseUnbuilt(String name, int start) {
        boolean isCalled = at('(') || (name.equals("tensor") && at('<'));
        if (isCalled && (TENSOR_FUNCTIONS.contains(name) || name.equals("switch"))) {
            offset = start;
            throw problem("'" + name + "' is not built yet");
        }
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
            arguments.add(expression(0));
            if (at(':')) {
                throw problem("arguments with a name are not built yet");
            }
        } while (accept(','));
        expect(')', "an operator, ',' or ')'");
        return arguments;
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
        return new Feature(name, List.of(), "", new Origin(text, start));
    }

    private double number() {
        int start = offset;
        int end = numberEnd();
        double value = Double.parseDouble(text.substring(start, end));
        if (Double.isInfinite(value)) {
            throw problem("the number is too large");
        }
        offset = end;
        skipSpace();
        return value;
    }

    /** Where the number that starts here ends; a name may start with digits and go on. */
    private int numberEnd() {
        int end = digitsEnd(offset);
        if (end < text.length() && text.charAt(end) == '.') {
            end = digitsEnd(end + 1);
        }
        if (end < text.length() && (text.charAt(end) == 'e' || text.charAt(end) == 'E')) {
            boolean signed =
                    end + 1 < text.length()
                            && (text.charAt(end + 1) == '+' || text.charAt(end + 1) == '-');
            int digits = end + (signed ? 2 : 1);
            int exponentEnd = digitsEnd(digits);
            if (exponentEnd > digits) {
                return exponentEnd;
            }
        }
        return end;
    }

    private int digitsEnd(int from) {
        int end = from;
        while (end < text.length() && isDigit(text.charAt(end))) {
            end++;
        }
        return end;
    }

    private String string() {
        int start = offset;
        char quote = text.charAt(offset++);
        var value = new StringBuilder();
        while (offset < text.length() && text.charAt(offset) != quote) {
            char c = text.charAt(offset++);
            value.append(c == '\\' ? escaped() : c);
        }
        if (offset == text.length()) {
            offset = start;
            throw problem("the string has no end");
        }
        offset++;
        skipSpace();
        return value.toString();
    }

    private char escaped() {
        int start = offset - 1;
        char c = offset < text.length() ? text.charAt(offset++) : ' ';
        return switch (c) {
            case '\\', '"', '\'' -> c;
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'f' -> '\f';
            case 'x' -> hexDigits(start);
            default -> throw badEscape(start);
        };
    }

    private char hexDigits(int start) {
        int end = offset + 2;
        if (end > text.length() || !text.substring(offset, end).matches("[0-9a-fA-F]{2}")) {
            throw badEscape(start);
        }
        char c = (char) Integer.parseInt(text, offset, end, 16);
        offset = end;
        return c;
    }

    private ExpressionSyntaxException badEscape(int start) {
        offset = start;
        return problem("expected one of \\\\ \\\" \\' \\n \\t \\r \\f or \\x with two hex digits");
    }

    private String nameOr(String expected) {
        if (nameEnd() == offset) {
            throw unexpected(expected);
        }
        return word();
    }

    private String name() {
        return nameOr("a name");
    }

    private String word() {
        String word = text.substring(offset, nameEnd());
        offset += word.length();
        skipSpace();
        return word;
    }

    private boolean atWord(String word) {
        return text.startsWith(word, offset) && nameEnd() == offset + word.length();
    }

    private int nameEnd() {
        int end = offset;
        while (end < text.length() && isNamePart(text.charAt(end), end > offset)) {
            end++;
        }
        return end;
    }

    private static boolean isNamePart(char c, boolean inside) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || isDigit(c)
                || c == '_'
                || c == '@'
                || (inside && c == '$');
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private boolean atDigit() {
        return offset < text.length() && isDigit(text.charAt(offset));
    }

    private boolean at(char c) {
        return offset < text.length() && text.charAt(offset) == c;
    }

    private boolean accept(char c) {
        if (!at(c)) {
            return false;
        }
        offset++;
        skipSpace();
        return true;
    }

    private void expect(char c) {
        expect(c, "'" + c + "'");
    }

    private void expect(char c, String expected) {
        if (!accept(c)) {
            throw unexpected(expected);
        }
    }

    private void skipSpace() {
        while (offset < text.length()) {
            char c = text.charAt(offset);
            if (c == '#') {
                int end = text.indexOf('\n', offset);
                offset = end < 0 ? text.length() : end;
            } else if (Character.isWhitespace(c)) {
                offset++;
            } else {
                return;
            }
        }
    }

    private ExpressionSyntaxException unexpected(String expected) {
        int end = Math.max(nameEnd(), Math.min(offset + 1, text.length()));
        String found = end == offset ? "the end" : "'" + text.substring(offset, end) + "'";
        return problem("expected " + expected + " but found " + found);
    }

    private ExpressionSyntaxException problem(String problem) {
        return new ExpressionSyntaxException(new Origin(text, offset), problem);
    }

    private static int depth(Expression expression) {
        record Level(Expression expression, int depth) {}
        int deepest = 0;
        var open = new ArrayDeque<Level>();
        open.push(new Level(expression, 1));
        while (!open.isEmpty()) {
            Level level = open.pop();
            deepest = Math.max(deepest, level.depth);
            for (Expression part : level.expression.parts()) {
                open.push(new Level(part, level.depth + 1));
            }
        }
        return deepest;
    }
}
