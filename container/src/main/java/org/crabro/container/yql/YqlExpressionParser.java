package org.crabro.container.yql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Parses the expressions of a statement.
 *
 * <pre>
 *   expression := and { "or" and }
 *   and        := relation { "and" relation }
 *   relation   := "!" relation | unary [ operator unary | "in" list | "is" [ "not" ] "null" ]
 *   operator   := "=" | "!=" | "&lt;" | ">" | "&lt;=" | ">="
 *               | [ "not" ] ( "contains" | "matches" | "like" ) | "not" "in"
 *   list       := "(" expression { "," expression } ")"
 *   unary      := "-" ( number | "Infinity" ) | access | now
 *   now        := "now" "(" ")" { ( "+" | "-" ) whole ( "s" | "m" | "h" | "d" | "w" ) }
 *   access     := primary { ( "[" expression "]" | "{" string "}" ) [ "." path ] }
 *   primary    := annotations unary | "(" expression ")" | number | string | parameter
 *               | "true" | "false" | "null" | call | path | map | array
 *   call       := name "(" [ expression { "," expression } ] ")"
 *   path       := name { "." name }
 *   map        := "{" [ key ":" expression { "," key ":" expression } ] "}"
 *   key        := path | string | whole
 *   array      := "[" [ expression { "," expression } ] "]"
 *   annotations:= map | "[" map "]"
 * </pre>
 *
 * A map is an annotation where an operand follows it. Words are read in any case.
 */
final class YqlExpressionParser {
    /** How deep parentheses, calls and annotations may be nested. */
    static final int MAX_DEPTH = 200;

    private static final Set<String> RESERVED =
            Set.of("and", "or", "not", "contains", "in", "is", "null");

    private static final List<YqlExpression.Operator> OPERATORS =
            List.of(YqlExpression.Operator.values());

    private static final List<String> ARITHMETIC = List.of("+", "-", "*", "/", "%");

    private final TokenReader tokens;
    private int depth;

    YqlExpressionParser(TokenReader tokens) {
        this.tokens = tokens;
    }

    /** Returns the map, list or constant that is all of {@code text}. */
    static YqlExpression value(String text) {
        var tokens = new TokenReader(text);
        YqlExpression value = new YqlExpressionParser(tokens).expression();
        if (tokens.peek().kind() != Token.Kind.END) {
            throw tokens.unexpected("the end of the value");
        }
        return value;
    }

    YqlExpression expression() {
        deeper();
        YqlExpression first = and();
        if (tokens.isWord("or")) {
            var operands = new ArrayList<>(List.of(first));
            while (tokens.takeWord("or")) {
                operands.add(and());
            }
            first = new YqlExpression.Or(first.offset(), operands);
        }
        depth--;
        return first;
    }

    private void deeper() {
        if (++depth > MAX_DEPTH) {
            throw tokens.error("an expression nested deeper than " + MAX_DEPTH);
        }
    }

    private YqlExpression and() {
        YqlExpression first = relation();
        if (!tokens.isWord("and")) {
            return first;
        }
        var operands = new ArrayList<>(List.of(first));
        while (tokens.takeWord("and")) {
            operands.add(relation());
        }
        return new YqlExpression.And(first.offset(), operands);
    }

    private YqlExpression relation() {
        Token negation = tokens.peek();
        if (tokens.takeSymbol("!")) {
            deeper();
            YqlExpression negated = new YqlExpression.Not(negation.start(), relation());
            depth--;
            return negated;
        }
        YqlExpression left = unary();
        Token at = tokens.peek();
        boolean isNot = tokens.takeWord("not");
        if (!isNot && tokens.takeWord("is")) {
            boolean notNull = tokens.takeWord("not");
            tokens.expectWord("null");
            YqlExpression.Operator operator =
                    notNull ? YqlExpression.Operator.IS_NOT_NULL : YqlExpression.Operator.IS_NULL;
            return new YqlExpression.Comparison(
                    left, at.start(), operator, new YqlExpression.Nothing(at.start()));
        }
        for (YqlExpression.Operator operator : OPERATORS) {
            if (takeOperator(operator, isNot)) {
                YqlExpression right =
                        operator == YqlExpression.Operator.IN
                                        || operator == YqlExpression.Operator.NOT_IN
                                ? list()
                                : unary();
                return new YqlExpression.Comparison(left, at.start(), operator, right);
            }
        }
        if (isNot) {
            throw tokens.unexpected("'contains', 'in', 'like' or 'matches' after 'not'");
        }
        for (String arithmetic : ARITHMETIC) {
            if (tokens.isSymbol(arithmetic)) {
                throw tokens.error(
                        "'" + arithmetic + "' is not possible: fields are compared with constants");
            }
        }
        return left;
    }

    private boolean takeOperator(YqlExpression.Operator operator, boolean isNot) {
        return switch (operator) {
            case EQUAL, NOT_EQUAL, LESS, GREATER, LESS_OR_EQUAL, GREATER_OR_EQUAL ->
                    !isNot && tokens.takeSymbol(operator.written());
            case CONTAINS, MATCHES, LIKE, IN -> !isNot && tokens.takeWord(operator.written());
            case NOT_MATCHES -> isNot && tokens.takeWord("matches");
            case NOT_LIKE -> isNot && tokens.takeWord("like");
            case NOT_IN -> isNot && tokens.takeWord("in");
            case IS_NULL, IS_NOT_NULL -> false;
        };
    }

    private YqlExpression list() {
        Token open = tokens.expectSymbol("(");
        var elements = new ArrayList<YqlExpression>();
        do {
            elements.add(expression());
        } while (tokens.takeSymbol(","));
        tokens.expectSymbol(")");
        return new YqlExpression.ListOf(open.start(), elements);
    }

    private YqlExpression unary() {
        Token at = tokens.peek();
        deeper();
        YqlExpression parsed;
        if (tokens.takeSymbol("-")) {
            parsed = negative(at);
        } else {
            parsed = sinceNow(access(primary()));
        }
        depth--;
        return parsed;
    }

    /** Takes the steps after {@code now()}, which become its arguments. */
    private YqlExpression sinceNow(YqlExpression base) {
        if (tokens.peekBehind().kind() != Token.Kind.PERIOD
                || !(base instanceof YqlExpression.Call(var offset, var function, var none))
                || !none.isEmpty()) {
            return base;
        }
        var steps = new ArrayList<YqlExpression>();
        while (tokens.peekBehind().kind() == Token.Kind.PERIOD) {
            Token sign = tokens.next();
            steps.add(new YqlExpression.Text(sign.start(), sign.text() + tokens.next().text()));
        }
        return new YqlExpression.Call(offset, function, steps);
    }

    private YqlExpression negative(Token minus) {
        Token number = tokens.peek();
        if (tokens.takeWord("infinity")) {
            return new YqlExpression.Real(minus.start(), Double.NEGATIVE_INFINITY);
        }
        if (number.kind() != Token.Kind.WHOLE && number.kind() != Token.Kind.REAL) {
            throw tokens.unexpected("a number after '-'");
        }
        tokens.next();
        return number("-" + number.text(), number, minus.start());
    }

    private YqlExpression access(YqlExpression base) {
        YqlExpression accessed = base;
        while ((base instanceof YqlExpression.Name || base instanceof YqlExpression.Text)
                && (tokens.isSymbol("[") || tokens.isSymbol("{"))) {
            Token open = tokens.next();
            boolean index = open.isSymbol("[");
            YqlExpression element = expression();
            tokens.expectSymbol(index ? "]" : "}");
            String path = "";
            if (tokens.takeSymbol(".")) {
                path = tokens.pathAfter(tokens.expectName("a name after '.'"));
            }
            accessed =
                    new YqlExpression.Access(
                            base.offset(),
                            accessed,
                            open.start(),
                            index ? '[' : '{',
                            element,
                            path);
        }
        return accessed;
    }

    private YqlExpression primary() {
        Token token = tokens.peek();
        return switch (token.kind()) {
            case STRING -> new YqlExpression.Text(tokens.next().start(), token.text());
            case PARAMETER -> new YqlExpression.Parameter(tokens.next().start(), token.text());
            case WHOLE, REAL -> number(token.text(), tokens.next(), token.start());
            case NAME -> name();
            case SYMBOL -> bracketed(token);
            case PERIOD, END -> throw tokens.unexpected("a condition or a value");
        };
    }

    private YqlExpression bracketed(Token token) {
        if (tokens.takeSymbol("(")) {
            YqlExpression inner = expression();
            tokens.expectSymbol(")");
            return inner;
        }
        if (tokens.isSymbol("{")) {
            YqlExpression.MapOf map = map();
            return startsOperand() ? annotated(map) : map;
        }
        if (tokens.takeSymbol("[")) {
            YqlExpression.ListOf array = array(token);
            if (array.elements().size() == 1
                    && array.elements().getFirst() instanceof YqlExpression.MapOf map
                    && startsOperand()) {
                return annotated(map);
            }
            return array;
        }
        throw tokens.unexpected("a condition or a value");
    }

    private YqlExpression annotated(YqlExpression.MapOf annotations) {
        return new YqlExpression.Annotated(annotations.offset(), annotations, unary());
    }

    private boolean startsOperand() {
        Token token = tokens.peek();
        return switch (token.kind()) {
            case STRING, PARAMETER, WHOLE, REAL -> true;
            case NAME -> !RESERVED.contains(token.text().toLowerCase(Locale.ROOT));
            case SYMBOL -> token.isSymbol("(") || token.isSymbol("{") || token.isSymbol("[");
            case PERIOD, END -> false;
        };
    }

    private YqlExpression name() {
        Token token = tokens.peek();
        String word = token.text().toLowerCase(Locale.ROOT);
        if (word.equals("not")) {
            throw tokens.error("'not' comes before 'in', 'like' or 'matches'; write ! to negate");
        }
        if (word.equals("null")) {
            return new YqlExpression.Nothing(tokens.next().start());
        }
        if (RESERVED.contains(word)) {
            throw tokens.unexpected("a condition or a value");
        }
        tokens.next();
        if (word.equals("true") || word.equals("false")) {
            return new YqlExpression.Truth(token.start(), word.equals("true"));
        }
        if (tokens.takeSymbol("(")) {
            return new YqlExpression.Call(token.start(), token.text(), arguments());
        }
        return new YqlExpression.Name(token.start(), tokens.pathAfter(token));
    }

    private List<YqlExpression> arguments() {
        var arguments = new ArrayList<YqlExpression>();
        if (tokens.takeSymbol(")")) {
            return arguments;
        }
        do {
            arguments.add(expression());
        } while (tokens.takeSymbol(","));
        tokens.expectSymbol(")");
        return arguments;
    }

    private YqlExpression.ListOf array(Token open) {
        var elements = new ArrayList<YqlExpression>();
        if (!tokens.isSymbol("]")) {
            do {
                elements.add(expression());
            } while (tokens.takeSymbol(","));
        }
        tokens.expectSymbol("]");
        return new YqlExpression.ListOf(open.start(), elements);
    }

    /** Reads {@code {...}}, be it annotations or a value. */
    YqlExpression.MapOf map() {
        Token open = tokens.expectSymbol("{");
        var entries = new ArrayList<YqlExpression.Entry>();
        if (!tokens.isSymbol("}")) {
            do {
                entries.add(entry());
            } while (tokens.takeSymbol(","));
        }
        tokens.expectSymbol("}");
        return new YqlExpression.MapOf(open.start(), entries);
    }

    private YqlExpression.Entry entry() {
        Token key = tokens.peek();
        if (key.kind() != Token.Kind.NAME
                && key.kind() != Token.Kind.STRING
                && key.kind() != Token.Kind.WHOLE) {
            throw tokens.unexpected("a key");
        }
        tokens.next();
        String name = key.kind() == Token.Kind.NAME ? tokens.pathAfter(key) : key.text();
        tokens.expectSymbol(":");
        return new YqlExpression.Entry(key.start(), name, expression());
    }

    private YqlExpression number(String written, Token token, int offset) {
        if (token.kind() == Token.Kind.REAL) {
            return new YqlExpression.Real(offset, Double.parseDouble(written));
        }
        try {
            return new YqlExpression.Whole(offset, Long.parseLong(written));
        } catch (NumberFormatException _) {
            throw tokens.errorAt(offset, written + " does not fit 64 bits");
        }
    }
}
