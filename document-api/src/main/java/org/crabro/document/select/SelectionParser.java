package org.crabro.document.select;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.crabro.document.DocumentType;
import org.crabro.document.time.InvalidTimeException;
import org.crabro.text.RegexBounds;
import org.jspecify.annotations.Nullable;

/**
 * Parses a selection.
 *
 * <p>Parentheses enclose conditions as well as values, and the parser knows which only after the
 * closing one. The same methods therefore parse both, and each operator checks its operands.
 */
final class SelectionParser {
    static final String TOO_LONG = "Expected at most %d characters in a selection";

    /** Parentheses: no operator before them is complete. */
    private static final int OPEN = 0;

    private static final int OR = 1;
    private static final int AND = 2;
    private static final int NOT = 3;
    private static final int COMPARE = 4;
    private static final int ADD = 5;
    private static final int MULTIPLY = 6;
    private static final int REMAINDER = 7;

    private final String text;
    private final SelectionTypes types;
    private final int depthMax;
    private final SelectionScanner scanner;

    /** The operands that are not yet part of an expression, the last one last. */
    private final List<Parsed> operands = new ArrayList<>();

    /** The operators that wait for their right operand, the innermost last. */
    private final List<Pending> pending = new ArrayList<>();

    /** The number of these that are parentheses or {@code not}. */
    private int depth;

    /**
     * @param depthMax the maximum nesting depth of parentheses and {@code not}
     */
    SelectionParser(String text, SelectionTypes types, int depthMax) {
        this.text = text;
        this.types = types;
        this.depthMax = depthMax;
        this.scanner = new SelectionScanner(text);
    }

    /**
     * A parsed operand and its start: a condition, a value, or a name that is a type.
     *
     * @param condition null if it can only be a value
     * @param value null if it can only be a condition
     * @param valueDepth the nesting depth of calculations and calls in the value
     */
    private record Parsed(
            int from,
            @Nullable Condition condition,
            @Nullable SelectionExpression value,
            int valueDepth) {
        static Parsed of(int from, Condition condition) {
            return new Parsed(from, condition, null, 0);
        }

        static Parsed of(int from, SelectionExpression value) {
            return new Parsed(from, null, value, 0);
        }
    }

    /**
     * Parentheses, {@code not}, or an operator between two operands.
     *
     * @param infix null for parentheses and {@code not}
     */
    private record Pending(int rank, int from, @Nullable Infix infix) {}

    /** An operator between two operands. */
    private record Infix(
            int rank,
            @Nullable Comparison comparison,
            SelectionExpression.@Nullable Operator operator) {}

    Condition parse() {
        if (text.length() > Selection.LENGTH_MAX) {
            throw scanner.failure(Selection.LENGTH_MAX, TOO_LONG.formatted(Selection.LENGTH_MAX));
        }
        if (scanner.isAtEnd()) {
            return new Condition.Constant(Truth.TRUE);
        }
        Condition condition = condition(all());
        if (!scanner.isAtEnd()) {
            throw scanner.expected("'and', 'or' or the end");
        }
        return condition;
    }

    /** Does not use recursion, so the stack does not limit the nesting depth. */
    private Parsed all() {
        while (true) {
            operands.add(operand());
            Infix next = peekInfix();
            while (next.rank() == OPEN) {
                completeAbove(OPEN);
                if (pending.isEmpty()) {
                    return operands.removeLast();
                }
                close();
                next = peekInfix();
            }
            completeAbove(next.rank());
            if (next.rank() == COMPARE) {
                beginComparison();
            }
            pending.add(new Pending(next.rank(), operands.getLast().from(), next));
            take(next);
        }
    }

    /** Skips the operators before the next value, and returns the value. */
    private Parsed operand() {
        while (true) {
            int from = scanner.position();
            if (scanner.acceptWord("not")) {
                enter(new Pending(NOT, from, null));
            } else if (scanner.accept("(")) {
                enter(new Pending(OPEN, from, null));
            } else {
                return calls(leaf(from));
            }
        }
    }

    private void enter(Pending entered) {
        depth++;
        if (depth > depthMax) {
            throw scanner.failure(
                    entered.from(),
                    "Expected a selection nested at most %d deep".formatted(depthMax));
        }
        pending.add(entered);
    }

    /** Ends parentheses. Their content is complete. */
    private void close() {
        if (!scanner.accept(")")) {
            throw scanner.expected("')'");
        }
        depth--;
        int from = pending.removeLast().from();
        Parsed inside = operands.removeLast();
        operands.add(
                calls(new Parsed(from, inside.condition(), inside.value(), inside.valueDepth())));
    }

    private void beginComparison() {
        if (!pending.isEmpty() && pending.getLast().rank() == COMPARE) {
            complete();
            throw scanner.expected("'and' or 'or' after a comparison");
        }
        value(operands.getLast());
    }

    /** Completes pending operators that bind more tightly than a rank. */
    private void completeAbove(int rank) {
        while (!pending.isEmpty() && pending.getLast().rank() > rank) {
            complete();
        }
    }

    /** Completes the last pending operator, with all before it of the same rank. */
    private void complete() {
        Pending last = pending.getLast();
        switch (last.rank()) {
            case NOT -> {
                pending.removeLast();
                depth--;
                Condition part = condition(operands.removeLast());
                operands.add(Parsed.of(last.from(), new Condition.Not(part)));
            }
            case COMPARE -> {
                pending.removeLast();
                Parsed right = operands.removeLast();
                Parsed left = operands.removeLast();
                operands.add(comparison(left, infix(last), right));
            }
            default -> completeChain(last.rank());
        }
    }

    private static Infix infix(Pending operator) {
        if (operator.infix() == null) {
            throw new IllegalStateException("no operator");
        }
        return operator.infix();
    }

    /**
     * A chain of operators of one rank is one node, so only parentheses and {@code not} add depth.
     */
    private void completeChain(int rank) {
        int begin = pending.size() - 1;
        while (begin > 0 && pending.get(begin - 1).rank() == rank) {
            begin--;
        }
        List<Pending> infixes = pending.subList(begin, pending.size());
        List<Parsed> parts =
                operands.subList(operands.size() - infixes.size() - 1, operands.size());
        Parsed chain = chain(rank, parts, infixes);
        infixes.clear();
        parts.clear();
        operands.add(chain);
    }

    private Parsed chain(int rank, List<Parsed> parts, List<Pending> infixes) {
        int from = parts.getFirst().from();
        return switch (rank) {
            case OR ->
                    Parsed.of(from, new Condition.Or(parts.stream().map(this::condition).toList()));
            case AND ->
                    Parsed.of(
                            from, new Condition.And(parts.stream().map(this::condition).toList()));
            default -> {
                List<SelectionExpression> values = parts.stream().map(this::value).toList();
                List<SelectionExpression.Operator> operators = new ArrayList<>();
                for (Pending each : infixes) {
                    operators.add(Objects.requireNonNull(infix(each).operator()));
                }
                yield around(
                        from,
                        new SelectionExpression.Arithmetic(values, operators),
                        parts.stream().mapToInt(Parsed::valueDepth).max().orElseThrow());
            }
        };
    }

    /** Returns a value that contains others. Its depth limits the recursion of an evaluation. */
    private Parsed around(int from, SelectionExpression value, int depthInside) {
        if (depthInside == Selection.DEPTH_MAX) {
            throw scanner.failure(
                    from, "Expected a value nested at most %d deep".formatted(Selection.DEPTH_MAX));
        }
        return new Parsed(from, null, value, depthInside + 1);
    }

    private Parsed comparison(Parsed left, Infix infix, Parsed right) {
        Comparison comparison = Objects.requireNonNull(infix.comparison());
        SelectionExpression rightValue =
                comparison == Comparison.REGEX ? pattern(right.from(), value(right)) : value(right);
        SelectionExpression leftValue = value(left);
        Optional<Condition> ofTimes =
                withTime(comparison, leftValue, rightValue, right.from())
                        .or(() ->
                                withTime(comparison.swapped(), rightValue, leftValue, left.from()));
        return Parsed.of(
                left.from(),
                ofTimes.orElseGet(() -> new Condition.Compare(comparison, leftValue, rightValue)));
    }

    /** Returns the comparison of a field of times with a time; empty if it is none. */
    private Optional<Condition> withTime(
            Comparison comparison,
            SelectionExpression field,
            SelectionExpression other,
            int otherFrom) {
        try {
            return TimeComparison.of(field, types).flatMap(each -> each.with(comparison, other));
        } catch (InvalidTimeException | TimeComparison.UnfitException e) {
            throw scanner.failure(otherFrom, String.valueOf(e.getMessage()));
        }
    }

    private SelectionExpression pattern(int from, SelectionExpression value) {
        if (!(value instanceof SelectionExpression.Literal(Value.Text(var regex)))) {
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
            return new SelectionExpression.Literal(new Value.Regex(Pattern.compile(regex)));
        } catch (PatternSyntaxException e) {
            throw scanner.failure(from, "Expected a regular expression: " + e.getMessage());
        }
    }

    /** Returns the nesting depth of parentheses; literal parentheses count too. */
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

    /**
     * Returns the operator at the current position; if there is none, one with the rank of
     * parentheses.
     */
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
            case '!' -> second == '=' ? compare(Comparison.NOT_EQUAL) : new Infix(OPEN, null, null);
            case '<' -> compare(second == '=' ? Comparison.LESS_OR_EQUAL : Comparison.LESS);
            case '>' -> compare(second == '=' ? Comparison.GREATER_OR_EQUAL : Comparison.GREATER);
            case '+' -> new Infix(ADD, null, SelectionExpression.Operator.ADD);
            case '-' -> new Infix(ADD, null, SelectionExpression.Operator.SUBTRACT);
            case '*' -> new Infix(MULTIPLY, null, SelectionExpression.Operator.MULTIPLY);
            case '/' -> new Infix(MULTIPLY, null, SelectionExpression.Operator.DIVIDE);
            case '%' -> new Infix(REMAINDER, null, SelectionExpression.Operator.REMAINDER);
            default ->
                    switch (scanner.peekWord().toLowerCase(Locale.ROOT)) {
                        case "and" -> new Infix(AND, null, null);
                        case "or" -> new Infix(OR, null, null);
                        default -> new Infix(OPEN, null, null);
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

    /** Parses functions after a value. */
    private Parsed calls(Parsed of) {
        Parsed called = of;
        while (scanner.next() == '.' && called.value() != null) {
            scanner.acceptHere('.');
            called =
                    around(
                            of.from(),
                            new SelectionExpression.Call(function(), called.value()),
                            called.valueDepth());
        }
        return called;
    }

    private Parsed leaf(int from) {
        char first = scanner.peek();
        if (first == '"' || first == '\'') {
            return Parsed.of(
                    from, new SelectionExpression.Literal(new Value.Text(scanner.quoted())));
        }
        boolean isSigned =
                (first == '-' || first == '+')
                        && from + 1 < text.length()
                        && SelectionScanner.isDigit(text.charAt(from + 1));
        if (SelectionScanner.isDigit(first) || isSigned) {
            return Parsed.of(from, new SelectionExpression.Literal(scanner.numberOrPeriod()));
        }
        if (first == '$') {
            return Parsed.of(from, new SelectionExpression.Variable(variable()));
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
                return Parsed.of(from, new SelectionExpression.Literal(Value.NOTHING));
            }
            case "id" -> {
                return Parsed.of(from, new SelectionExpression.OfId(idPart()));
            }
            case "and", "or", "not" ->
                    throw scanner.failure(from, "Expected a value but found '" + word + "'");
            default -> {
                // The name of a type, or now().
            }
        }
        if (word.equals("now") && scanner.next() == '(') {
            parentheses();
            return Parsed.of(from, new SelectionExpression.Now());
        }
        DocumentType type =
                types.type(word)
                        .orElseThrow(() ->
                                scanner.failure(
                                        from,
                                        "There is no document type '%s'; the types are %s"
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
            return Parsed.of(from, new SelectionExpression.Imported(word));
        }
        SelectionExpression path = new FieldPathParser(scanner, type).parse();
        return Parsed.of(from, path);
    }

    private static Parsed truth(int from, Truth truth) {
        return new Parsed(
                from,
                new Condition.Constant(truth),
                new SelectionExpression.Literal(new Value.Whole(truth == Truth.TRUE ? 1 : 0)),
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

    private SelectionExpression.IdPart idPart() {
        if (scanner.next() != '.') {
            return SelectionExpression.IdPart.ALL;
        }
        if (scanner.isFollowedByCall()) {
            return SelectionExpression.IdPart.ALL;
        }
        scanner.acceptHere('.');
        String name = scanner.peekWord();
        Optional<SelectionExpression.IdPart> part =
                List.of(SelectionExpression.IdPart.values()).stream()
                        .filter(each -> each != SelectionExpression.IdPart.ALL)
                        .filter(each -> each.name().equalsIgnoreCase(name))
                        .findFirst();
        if (part.isPresent()) {
            scanner.word();
            return part.get();
        }
        throw scanner.expected(
                "scheme, namespace, type, specific, user, group, bucket or gid after 'id.'");
    }

    private static boolean isFunction(String name) {
        return List.of(SelectionExpression.Function.values()).stream()
                .anyMatch(each -> each.name().toLowerCase(Locale.ROOT).equals(name));
    }

    private SelectionExpression.Function function() {
        int from = scanner.position();
        String name = scanner.word();
        if (!isFunction(name)) {
            throw scanner.failure(from, "Expected hash(), abs() or lowercase()");
        }
        parentheses();
        return SelectionExpression.Function.valueOf(name.toUpperCase(Locale.ROOT));
    }

    private void parentheses() {
        if (!scanner.accept("(") || !scanner.accept(")")) {
            throw scanner.expected("'()'");
        }
    }

    /** A field without a comparison is true if it is set. */
    private Condition condition(Parsed parsed) {
        if (parsed.condition() != null) {
            return parsed.condition();
        }
        SelectionExpression value = parsed.value();
        if (value instanceof SelectionExpression.FieldPath
                || value instanceof SelectionExpression.Imported) {
            return new Condition.Compare(
                    Comparison.NOT_EQUAL, value, new SelectionExpression.Literal(Value.NOTHING));
        }
        throw scanner.failure(
                parsed.from(), "Expected a comparison, a field, a document type, true or false");
    }

    private SelectionExpression value(Parsed parsed) {
        if (parsed.value() == null) {
            throw scanner.failure(parsed.from(), "Expected a value but found a condition");
        }
        return parsed.value();
    }
}
