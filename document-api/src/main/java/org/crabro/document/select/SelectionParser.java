package org.crabro.document.select;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.crabro.document.DocumentType;
import org.crabro.text.RegexBounds;
import org.jspecify.annotations.Nullable;

/**
 * Parses a selection.
 *
 * <p>Parentheses stand around conditions as well as around values, and what is inside is known only
 * behind it. So both are parsed by the same methods, and each operator says what it needs. Chains
 * of one operator are one node: only parentheses and {@code not} nest.
 */
final class SelectionParser {
    private static final int OR = 1;
    private static final int AND = 2;
    private static final int COMPARE = 3;
    private static final int ADD = 4;
    private static final int MULTIPLY = 5;
    private static final int REMAINDER = 6;

    private final String text;
    private final SelectionTypes types;
    private final SelectionScanner scanner;
    private int depth;

    /** Those around what is parsed that can only be a value; -1 where it may be a condition. */
    private int parenthesesOfValue = -1;

    SelectionParser(String text, SelectionTypes types) {
        this.text = text;
        this.types = types;
        this.scanner = new SelectionScanner(text);
    }

    /**
     * What was parsed, from where: a condition, a value, or a name that is a type.
     *
     * @param condition nothing where it can only be a value
     * @param value nothing where it can only be a condition
     * @param valueDepth how many calculations and calls are in each other in the value
     */
    private record Parsed(
            int from, @Nullable Condition condition, @Nullable Expression value, int valueDepth) {
        static Parsed of(int from, Condition condition) {
            return new Parsed(from, condition, null, 0);
        }

        static Parsed of(int from, Expression value) {
            return new Parsed(from, null, value, 0);
        }
    }

    /** An operator between two operands. */
    private record Infix(
            int rank, @Nullable Comparison comparison, Expression.@Nullable Operator operator) {}

    Condition parse() {
        if (text.length() > Selection.LENGTH_MAX) {
            throw scanner.failure(
                    Selection.LENGTH_MAX,
                    "Expected at most %d characters in a selection"
                            .formatted(Selection.LENGTH_MAX));
        }
        if (scanner.isAtEnd()) {
            return new Condition.Constant(Truth.TRUE);
        }
        Condition condition = condition(parse(OR));
        if (!scanner.isAtEnd()) {
            throw scanner.expected("'and', 'or' or the end");
        }
        return condition;
    }

    private Parsed parse(int least) {
        Parsed left = operand();
        Infix next = peekInfix();
        while (next.rank() >= least) {
            int rank = next.rank();
            if (rank == COMPARE) {
                left = comparison(left, next);
                next = peekInfix();
                if (next.rank() == COMPARE) {
                    throw scanner.expected("'and' or 'or' behind a comparison");
                }
                continue;
            }
            var operands = new ArrayList<Parsed>(List.of(left));
            var operators = new ArrayList<Expression.Operator>();
            while (next.rank() == rank) {
                take(next);
                if (next.operator() != null) {
                    operators.add(next.operator());
                }
                operands.add(rank >= ADD ? parseValue(rank + 1) : parse(rank + 1));
                next = peekInfix();
            }
            left = chain(rank, operands, operators);
        }
        return left;
    }

    private Parsed chain(int rank, List<Parsed> operands, List<Expression.Operator> operators) {
        int from = operands.getFirst().from();
        return switch (rank) {
            case OR ->
                    Parsed.of(
                            from,
                            new Condition.Or(operands.stream().map(this::condition).toList()));
            case AND ->
                    Parsed.of(
                            from,
                            new Condition.And(operands.stream().map(this::condition).toList()));
            default ->
                    around(
                            from,
                            new Expression.Arithmetic(
                                    operands.stream().map(this::value).toList(), operators),
                            operands.stream().mapToInt(Parsed::valueDepth).max().orElseThrow());
        };
    }

    /** Returns a value around others; whoever evaluates it goes as deep as they are. */
    private Parsed around(int from, Expression value, int depthInside) {
        if (depthInside == Selection.VALUE_DEPTH_MAX) {
            throw tooDeepValue(from);
        }
        return new Parsed(from, null, value, depthInside + 1);
    }

    private InvalidSelectionException tooDeepValue(int from) {
        return scanner.failure(
                from,
                "Expected a value nested at most %d deep".formatted(Selection.VALUE_DEPTH_MAX));
    }

    /** Parses what can only be a value: so what is deep in it is refused on the way. */
    private Parsed parseValue(int least) {
        int before = parenthesesOfValue;
        parenthesesOfValue = Math.max(parenthesesOfValue, 0);
        Parsed value = parse(least);
        parenthesesOfValue = before;
        return value;
    }

    private Parsed comparison(Parsed left, Infix infix) {
        Comparison comparison = infix.comparison();
        if (comparison == null) {
            throw new IllegalStateException("no comparison");
        }
        take(infix);
        Expression leftValue = value(left);
        Parsed right = parseValue(COMPARE + 1);
        Expression rightValue = value(right);
        if (comparison == Comparison.REGEX) {
            rightValue = pattern(right.from(), rightValue);
        }
        return Parsed.of(left.from(), new Condition.Compare(comparison, leftValue, rightValue));
    }

    private Expression pattern(int from, Expression value) {
        if (!(value instanceof Expression.Literal(Value.Text(var regex)))) {
            throw scanner.failure(from, "Expected a regular expression in quotes");
        }
        if (depth(regex) > Selection.REGEX_DEPTH_MAX) {
            throw scanner.failure(
                    from,
                    "Expected a regular expression with groups at most %d deep"
                            .formatted(Selection.REGEX_DEPTH_MAX));
        }
        Optional<String> tooMuch = RegexBounds.problem(regex);
        if (tooMuch.isPresent()) {
            throw scanner.failure(
                    from, "Expected a regular expression that is no larger: " + tooMuch.get());
        }
        try {
            return new Expression.Literal(new Value.Regex(Pattern.compile(regex)));
        } catch (PatternSyntaxException e) {
            throw scanner.failure(from, "Expected a regular expression: " + e.getMessage());
        }
    }

    /** Returns how deep parentheses are in each other; those that mean themselves count too. */
    private static int depth(String regex) {
        int deepest = 0;
        int depth = 0;
        for (int i = 0; i < regex.length(); i++) {
            if (regex.charAt(i) == '(') {
                depth++;
                deepest = Math.max(deepest, depth);
            } else if (regex.charAt(i) == ')') {
                depth--;
            } else if (regex.charAt(i) == '\\') {
                i++;
            }
        }
        return deepest;
    }

    /** Returns what stands between two operands here; of rank 0 where nothing does. */
    private Infix peekInfix() {
        int position = scanner.position();
        char first = scanner.peek();
        char second = position + 1 < text.length() ? text.charAt(position + 1) : 0;
        return switch (first) {
            case '=' ->
                    compare(
                            second == '='
                                    ? Comparison.EQUAL
                                    : second == '~' ? Comparison.REGEX : Comparison.GLOB);
            case '!' -> second == '=' ? compare(Comparison.NOT_EQUAL) : new Infix(0, null, null);
            case '<' -> compare(second == '=' ? Comparison.LESS_OR_EQUAL : Comparison.LESS);
            case '>' -> compare(second == '=' ? Comparison.GREATER_OR_EQUAL : Comparison.GREATER);
            case '+' -> new Infix(ADD, null, Expression.Operator.ADD);
            case '-' -> new Infix(ADD, null, Expression.Operator.SUBTRACT);
            case '*' -> new Infix(MULTIPLY, null, Expression.Operator.MULTIPLY);
            case '/' -> new Infix(MULTIPLY, null, Expression.Operator.DIVIDE);
            case '%' -> new Infix(REMAINDER, null, Expression.Operator.REMAINDER);
            default ->
                    switch (scanner.peekWord().toLowerCase(Locale.ROOT)) {
                        case "and" -> new Infix(AND, null, null);
                        case "or" -> new Infix(OR, null, null);
                        default -> new Infix(0, null, null);
                    };
        };
    }

    private static Infix compare(Comparison comparison) {
        return new Infix(COMPARE, comparison, null);
    }

    private void take(Infix infix) {
        if (infix.comparison() != null) {
            scanner.accept(infix.comparison().text());
        } else if (infix.operator() != null) {
            scanner.accept(String.valueOf(scanner.peek()));
        } else {
            scanner.word();
        }
    }

    private Parsed operand() {
        int from = scanner.position();
        if (scanner.acceptWord("not")) {
            enter(from);
            Condition part = condition(parse(COMPARE));
            depth--;
            return Parsed.of(from, new Condition.Not(part));
        }
        Parsed operand = unary(from);
        while (scanner.next() == '.' && operand.value() != null) {
            scanner.acceptHere('.');
            operand =
                    around(
                            from,
                            new Expression.Call(function(), operand.value()),
                            operand.valueDepth());
        }
        return operand;
    }

    private void enter(int from) {
        depth++;
        if (depth > Selection.DEPTH_MAX) {
            throw scanner.failure(
                    from,
                    "Expected a selection nested at most %d deep".formatted(Selection.DEPTH_MAX));
        }
    }

    private Parsed unary(int from) {
        char first = scanner.peek();
        if (scanner.accept("(")) {
            enter(from);
            boolean isInValue = parenthesesOfValue >= 0;
            if (isInValue && ++parenthesesOfValue > Selection.VALUE_DEPTH_MAX) {
                throw tooDeepValue(from);
            }
            Parsed inside = parse(OR);
            if (!scanner.accept(")")) {
                throw scanner.expected("')'");
            }
            depth--;
            if (isInValue) {
                parenthesesOfValue--;
            }
            return new Parsed(from, inside.condition(), inside.value(), inside.valueDepth());
        }
        if (first == '"' || first == '\'') {
            return Parsed.of(from, new Expression.Literal(new Value.Text(scanner.quoted())));
        }
        boolean isSigned =
                (first == '-' || first == '+')
                        && from + 1 < text.length()
                        && SelectionScanner.isDigit(text.charAt(from + 1));
        if (SelectionScanner.isDigit(first) || isSigned) {
            return Parsed.of(from, new Expression.Literal(scanner.number()));
        }
        if (first == '$') {
            return Parsed.of(from, new Expression.Variable(variable()));
        }
        String word = scanner.word();
        if (word.isEmpty()) {
            throw scanner.expected("a value");
        }
        return named(from, word);
    }

    private Parsed named(int from, String word) {
        switch (word.toLowerCase(Locale.ROOT)) {
            case "true" -> {
                return truth(from, Truth.TRUE);
            }
            case "false" -> {
                return truth(from, Truth.FALSE);
            }
            case "null" -> {
                return Parsed.of(from, new Expression.Literal(Value.NOTHING));
            }
            case "id" -> {
                return Parsed.of(from, new Expression.OfId(idPart()));
            }
            case "and", "or", "not" ->
                    throw scanner.failure(from, "Expected a value but found '" + word + "'");
            default -> {
                // The name of a type, or now().
            }
        }
        if (word.equals("now") && scanner.next() == '(') {
            parentheses();
            return Parsed.of(from, new Expression.Now());
        }
        DocumentType type =
                types.type(word)
                        .orElseThrow(() ->
                                scanner.failure(
                                        from,
                                        "There is no document type '%s' but %s"
                                                .formatted(
                                                        word,
                                                        types.types().keySet().stream()
                                                                .sorted()
                                                                .toList())));
        if (scanner.next() != '.') {
            return Parsed.of(from, new Condition.OfType(word));
        }
        scanner.acceptHere('.');
        if (types.isImported(word, scanner.peekWord())) {
            scanner.word();
            return Parsed.of(from, new Expression.Imported(word));
        }
        Expression path = new FieldPathParser(scanner, type).parse();
        return Parsed.of(from, path);
    }

    private static Parsed truth(int from, Truth truth) {
        return new Parsed(
                from,
                new Condition.Constant(truth),
                new Expression.Literal(new Value.Whole(truth == Truth.TRUE ? 1 : 0)),
                0);
    }

    private String variable() {
        scanner.accept("$");
        String name = scanner.word();
        if (name.isEmpty()) {
            throw scanner.expected("the name of a variable");
        }
        return name;
    }

    private Expression.IdPart idPart() {
        if (scanner.next() != '.') {
            return Expression.IdPart.ALL;
        }
        if (scanner.isFollowedByCall()) {
            return Expression.IdPart.ALL;
        }
        scanner.acceptHere('.');
        String name = scanner.peekWord();
        Optional<Expression.IdPart> part =
                List.of(Expression.IdPart.values()).stream()
                        .filter(each -> each != Expression.IdPart.ALL)
                        .filter(each -> each.name().equalsIgnoreCase(name))
                        .findFirst();
        if (part.isPresent()) {
            scanner.word();
            return part.get();
        }
        throw scanner.expected(
                "scheme, namespace, type, specific, user, group, bucket or gid behind 'id.'");
    }

    private static boolean isFunction(String name) {
        return List.of(Expression.Function.values()).stream()
                .anyMatch(each -> each.name().toLowerCase(Locale.ROOT).equals(name));
    }

    private Expression.Function function() {
        int from = scanner.position();
        String name = scanner.word();
        if (!isFunction(name)) {
            throw scanner.failure(from, "Expected hash(), abs() or lowercase()");
        }
        parentheses();
        return Expression.Function.valueOf(name.toUpperCase(Locale.ROOT));
    }

    private void parentheses() {
        if (!scanner.accept("(") || !scanner.accept(")")) {
            throw scanner.expected("'()'");
        }
    }

    /** A field alone asks whether it is set. */
    private Condition condition(Parsed parsed) {
        if (parsed.condition() != null) {
            return parsed.condition();
        }
        Expression value = parsed.value();
        if (value instanceof Expression.FieldPath || value instanceof Expression.Imported) {
            return new Condition.Compare(
                    Comparison.NOT_EQUAL, value, new Expression.Literal(Value.NOTHING));
        }
        throw scanner.failure(
                parsed.from(), "Expected a comparison, a field, a document type, true or false");
    }

    private Expression value(Parsed parsed) {
        if (parsed.value() == null) {
            throw scanner.failure(parsed.from(), "Expected a value but found a condition");
        }
        return parsed.value();
    }
}
