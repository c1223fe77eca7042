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
 *   unary      := "-" ( number | "Infinity" ) | access
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
final class ExpressionParser {
    /** How deep parentheses, calls and annotations may be nested. */
    static final int MAX_DEPTH = 200;

    private static final Set<String> RESERVED =
            Set.of("and", "or", "not", "contains", "in", "is", "null");

    private static final List<Expression.Operator> OPERATORS =
            List.of(Expression.Operator.values());

    private static final List<String> ARITHMETIC = List.of("+", "-", "*", "/", "%");

    private final TokenReader tokens;
    private int depth;

    ExpressionParser(TokenReader tokens) {
        this.tokens = tokens;
    }

    /** Returns the map, list or constant that is all of {@code text}. */
    static Expression value(String text) {
        var tokens = new TokenReader(text);
        Expression value = new ExpressionParser(tokens).expression();
        if (tokens.peek().kind() != Token.Kind.END) {
            throw tokens.unexpected("the end of the value");
        }
        return value;
    }

    Expression expression() {
        deeper();
        Expression first = and();
        if (tokens.isWord("or")) {
            var operands = new ArrayList<>(List.of(first));
            while (tokens.takeWord("or")) {
                operands.add(and());
            }
            first = new Expression.Or(first.offset(), operands);
        }
        depth--;
        return first;
    }

    private void deeper() {
        if (++depth > MAX_DEPTH) {
            throw tokens.error("an expression nested deeper than " + MAX_DEPTH);
        }
    }

    private Expression and() {
        Expression first = relation();
        if (!tokens.isWord("and")) {
            return first;
        }
        var operands = new ArrayList<>(List.of(first));
        while (tokens.takeWord("and")) {
            operands.add(relation());
        }
        return new Expression.And(first.offset(), operands);
    }

    private Expression relation() {
        Token negation = tokens.peek();
        if (tokens.takeSymbol("!")) {
            deeper();
            Expression negated = new Expression.Not(negation.start(), relation());
            depth--;
            return negated;
        }
        Expression left = unary();
        Token at = tokens.peek();
        boolean isNot = tokens.takeWord("not");
        if (!isNot && tokens.takeWord("is")) {
            boolean notNull = tokens.takeWord("not");
            tokens.expectWord("null");
            Expression.Operator operator =
                    notNull ? Expression.Operator.IS_NOT_NULL : Expression.Operator.IS_NULL;
            return new Expression.Comparison(
                    left, at.start(), operator, new Expression.Nothing(at.start()));
        }
        for (Expression.Operator operator : OPERATORS) {
            if (takeOperator(operator, isNot)) {
                Expression right =
                        operator == Expression.Operator.IN || operator == Expression.Operator.NOT_IN
                                ? list()
                                : unary();
                return new Expression.Comparison(left, at.start(), operator, right);
            }
        }
        if (isNot) {
            throw tokens.unexpected("'contains', 'in', 'like' or 'matches' behind 'not'");
        }
        for (String arithmetic : ARITHMETIC) {
            if (tokens.isSymbol(arithmetic)) {
                throw tokens.error(
                        "'" + arithmetic + "' is not possible: fields are compared with constants");
            }
        }
        return left;
    }

    private boolean takeOperator(Expression.Operator operator, boolean isNot) {
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

    private Expression list() {
        Token open = tokens.expectSymbol("(");
        var elements = new ArrayList<Expression>();
        do {
            elements.add(expression());
        } while (tokens.takeSymbol(","));
        tokens.expectSymbol(")");
        return new Expression.ListOf(open.start(), elements);
    }

    private Expression unary() {
        Token at = tokens.peek();
        deeper();
        Expression parsed;
        if (tokens.takeSymbol("-")) {
            parsed = negative(at);
        } else {
            parsed = access(primary());
        }
        depth--;
        return parsed;
    }

    private Expression negative(Token minus) {
        Token number = tokens.peek();
        if (tokens.takeWord("infinity")) {
            return new Expression.Real(minus.start(), Double.NEGATIVE_INFINITY);
        }
        if (number.kind() != Token.Kind.WHOLE && number.kind() != Token.Kind.REAL) {
            throw tokens.unexpected("a number behind '-'");
        }
        tokens.next();
        return number("-" + number.text(), number, minus.start());
    }

    private Expression access(Expression base) {
        Expression accessed = base;
        while (base instanceof Expression.Name && (tokens.isSymbol("[") || tokens.isSymbol("{"))) {
            Token open = tokens.next();
            boolean index = open.isSymbol("[");
            Expression element = expression();
            tokens.expectSymbol(index ? "]" : "}");
            String rest = "";
            if (tokens.takeSymbol(".")) {
                rest = tokens.restOfPath(tokens.expectName("a name behind '.'"));
            }
            accessed =
                    new Expression.Access(
                            base.offset(),
                            accessed,
                            open.start(),
                            index ? '[' : '{',
                            element,
                            rest);
        }
        return accessed;
    }

    private Expression primary() {
        Token token = tokens.peek();
        return switch (token.kind()) {
            case STRING -> new Expression.Text(tokens.next().start(), token.text());
            case PARAMETER -> new Expression.Parameter(tokens.next().start(), token.text());
            case WHOLE, REAL -> number(token.text(), tokens.next(), token.start());
            case NAME -> name();
            case SYMBOL -> bracketed(token);
            case END -> throw tokens.unexpected("a condition or a value");
        };
    }

    private Expression bracketed(Token token) {
        if (tokens.takeSymbol("(")) {
            Expression inner = expression();
            tokens.expectSymbol(")");
            return inner;
        }
        if (tokens.isSymbol("{")) {
            Expression.MapOf map = map();
            return startsOperand() ? annotated(map) : map;
        }
        if (tokens.takeSymbol("[")) {
            Expression.ListOf array = array(token);
            if (array.elements().size() == 1
                    && array.elements().getFirst() instanceof Expression.MapOf map
                    && startsOperand()) {
                return annotated(map);
            }
            return array;
        }
        throw tokens.unexpected("a condition or a value");
    }

    private Expression annotated(Expression.MapOf annotations) {
        return new Expression.Annotated(annotations.offset(), annotations, unary());
    }

    private boolean startsOperand() {
        Token token = tokens.peek();
        return switch (token.kind()) {
            case STRING, PARAMETER, WHOLE, REAL -> true;
            case NAME -> !RESERVED.contains(token.text().toLowerCase(Locale.ROOT));
            case SYMBOL -> token.isSymbol("(") || token.isSymbol("{") || token.isSymbol("[");
            case END -> false;
        };
    }

    private Expression name() {
        Token token = tokens.peek();
        String word = token.text().toLowerCase(Locale.ROOT);
        if (word.equals("not")) {
            throw tokens.error("'not' stands before 'in', 'like' or 'matches'; write ! to negate");
        }
        if (word.equals("null")) {
            return new Expression.Nothing(tokens.next().start());
        }
        if (RESERVED.contains(word)) {
            throw tokens.unexpected("a condition or a value");
        }
        tokens.next();
        if (word.equals("true") || word.equals("false")) {
            return new Expression.Truth(token.start(), word.equals("true"));
        }
        if (tokens.takeSymbol("(")) {
            return new Expression.Call(token.start(), token.text(), arguments());
        }
        return new Expression.Name(token.start(), tokens.restOfPath(token));
    }

    private List<Expression> arguments() {
        var arguments = new ArrayList<Expression>();
        if (tokens.takeSymbol(")")) {
            return arguments;
        }
        do {
            arguments.add(expression());
        } while (tokens.takeSymbol(","));
        tokens.expectSymbol(")");
        return arguments;
    }

    private Expression.ListOf array(Token open) {
        var elements = new ArrayList<Expression>();
        if (!tokens.isSymbol("]")) {
            do {
                elements.add(expression());
            } while (tokens.takeSymbol(","));
        }
        tokens.expectSymbol("]");
        return new Expression.ListOf(open.start(), elements);
    }

    /** Reads {@code {...}}, be it annotations or a value. */
    Expression.MapOf map() {
        Token open = tokens.expectSymbol("{");
        var entries = new ArrayList<Expression.Entry>();
        if (!tokens.isSymbol("}")) {
            do {
                entries.add(entry());
            } while (tokens.takeSymbol(","));
        }
        tokens.expectSymbol("}");
        return new Expression.MapOf(open.start(), entries);
    }

    private Expression.Entry entry() {
        Token key = tokens.peek();
        if (key.kind() != Token.Kind.NAME
                && key.kind() != Token.Kind.STRING
                && key.kind() != Token.Kind.WHOLE) {
            throw tokens.unexpected("a key");
        }
        tokens.next();
        String name = key.kind() == Token.Kind.NAME ? tokens.restOfPath(key) : key.text();
        tokens.expectSymbol(":");
        return new Expression.Entry(key.start(), name, expression());
    }

    private Expression number(String written, Token token, int offset) {
        if (token.kind() == Token.Kind.REAL) {
            return new Expression.Real(offset, Double.parseDouble(written));
        }
        try {
            return new Expression.Whole(offset, Long.parseLong(written));
        } catch (NumberFormatException _) {
            throw tokens.errorAt(offset, written + " does not fit 64 bits");
        }
    }
}
