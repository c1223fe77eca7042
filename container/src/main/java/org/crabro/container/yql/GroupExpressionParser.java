package org.crabro.container.yql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.crabro.protocol.grouping.Aggregator;
import org.crabro.protocol.grouping.GroupBucket;
import org.crabro.protocol.grouping.GroupExpression;
import org.crabro.protocol.grouping.GroupExpression.Aggregate;
import org.crabro.protocol.grouping.GroupExpression.Call;
import org.crabro.protocol.grouping.GroupExpression.FieldOf;
import org.crabro.protocol.grouping.GroupFunction;
import org.crabro.protocol.grouping.GroupValue;

/**
 * Parses the expressions of groupings.
 *
 * <pre>
 *   expression := [ "+" | "-" ] "$" name [ "=" sum ] | [ "+" | "-" ] sum
 *   sum        := difference { "+" difference }
 *   difference := quotient { "-" quotient }
 *   quotient   := remainder { "/" remainder }
 *   remainder  := product { "%" product }
 *   product    := value { "*" value }
 *   value      := "(" expression ")" | "-" value | number | string | field | call | "$" name
 *   field      := name { "." name } [ "{" ( string | name | "attribute" "(" path ")" ) "}"
 *                 [ "." path ] ]
 *   call       := function "(" [ expression { "," expression } ] ")"
 *   bucket     := "bucket" ( "(" | "[" | "&lt;" ) end [ "," end ] ( ")" | "]" | "&gt;" )
 *   end        := [ "-" ] ( number | "inf" ) | string | name | "{" byte { "," byte } "}"
 * </pre>
 *
 * So {@code a / b * c} is {@code a / (b * c)}, and {@code a + b - c} is {@code a + (b - c)}: each
 * sign has a level of its own.
 */
final class GroupExpressionParser {
    /** Of calls and predefined buckets. */
    private static final int ARGUMENTS_MAX = 10_000;

    private static final String LEVELS = "+-/%*";

    /**
     * A grouping with more expressions is rejected, because aliases can make it grow exponentially.
     */
    private static final int ITEMS_MAX = 100_000;

    /** The expression of a name, and the number of its parts. */
    record Alias(GroupExpression expression, int items) {}

    private final GroupingReader in;
    private final Map<String, Alias> aliases;
    private int depth;
    private int items;

    /** The signs inside the current parentheses. */
    private int signs;

    /**
     * @param aliases the known names; receives new definitions
     */
    GroupExpressionParser(GroupingReader in, Map<String, Alias> aliases) {
        this.in = in;
        this.aliases = aliases;
    }

    /** Reads the definition of {@code name}. */
    void define(String name) {
        int before = items;
        aliases.put(name, new Alias(expression(), items - before));
    }

    private void count(int more) {
        items += more;
        if (items > ITEMS_MAX) {
            throw in.errorAt(in.offset(), "more than " + ITEMS_MAX + " expressions");
        }
    }

    GroupExpression expression() {
        boolean negative = in.take('-');
        if (!negative) {
            in.take('+');
        }
        GroupExpression expression = defined();
        return negative ? negated(expression) : expression;
    }

    private GroupExpression defined() {
        int start = in.offset();
        if (in.take('$')) {
            String name = in.name("a name after '$'");
            if (in.take('=')) {
                int before = items;
                GroupExpression expression = math(0);
                aliases.put(name, new Alias(expression, items - before));
                return expression;
            }
            in.goTo(start);
        }
        return math(0);
    }

    private static GroupExpression negated(GroupExpression expression) {
        return switch (expression) {
            case GroupExpression.Whole(long value) -> new GroupExpression.Whole(-value);
            case GroupExpression.Real(double value) -> new GroupExpression.Real(-value);
            default -> Call.of(GroupFunction.NEG, expression);
        };
    }

    private GroupExpression math(int level) {
        if (level == LEVELS.length()) {
            return value();
        }
        GroupExpression left = math(level + 1);
        int operations = 0;
        while (in.take(LEVELS.charAt(level))) {
            if (++operations > GroupingParser.DEPTH_MAX) {
                throw in.errorAt(
                        in.offset(),
                        "more than " + GroupingParser.DEPTH_MAX + " operands in a row");
            }
            char sign = LEVELS.charAt(level);
            int before = signs;
            left = Call.of(function(sign), left, math(level + 1));
            if (signs > before && (sign == '/' || sign == '%')) {
                in.note(
                        "'%c' binds looser than what follows it, so this is %s: say otherwise with parentheses"
                                .formatted(sign, left.text()));
            }
            signs++;
        }
        return left;
    }

    private static GroupFunction function(char sign) {
        return switch (sign) {
            case '+' -> GroupFunction.ADD;
            case '-' -> GroupFunction.SUB;
            case '/' -> GroupFunction.DIV;
            case '%' -> GroupFunction.MOD;
            default -> GroupFunction.MUL;
        };
    }

    private GroupExpression value() {
        if (++depth > GroupingParser.DEPTH_MAX) {
            throw in.errorAt(
                    in.offset(),
                    "more than " + GroupingParser.DEPTH_MAX + " expressions in one another");
        }
        count(1);
        int around = signs;
        GroupExpression value = valueHere();
        signs = around;
        depth--;
        return value;
    }

    private GroupExpression valueHere() {
        if (in.take('(')) {
            GroupExpression inner = expression();
            in.expect(')');
            return inner;
        }
        if (in.take('-')) {
            return negated(value());
        }
        if (in.isNumber()) {
            GroupingReader.Literal number = in.number("a number");
            return number.isWhole()
                    ? new GroupExpression.Whole(number.whole())
                    : new GroupExpression.Real(number.real());
        }
        if (in.isString()) {
            return new GroupExpression.Text(in.string("a string"));
        }
        int start = in.offset();
        if (in.take('$')) {
            String name = in.name("a name after '$'");
            Alias alias = aliases.get(name);
            if (alias == null) {
                throw in.errorAt(start, "there is no alias '$" + name + "' here");
            }
            count(alias.items);
            return alias.expression;
        }
        if (!in.isName()) {
            throw in.unexpected("an expression");
        }
        return named();
    }

    private GroupExpression named() {
        int start = in.offset();
        String path = path();
        if (in.take('(')) {
            return call(path, start);
        }
        if (in.take('{')) {
            GroupExpression.EntryKey key = key();
            in.expect('}');
            return new FieldOf(path, Optional.of(key), in.take('.') ? path() : "");
        }
        return FieldOf.of(path);
    }

    private String path() {
        var path = new StringBuilder(in.name("a field"));
        while (in.take('.')) {
            path.append('.').append(in.name("a name after '.'"));
        }
        return path.toString();
    }

    private GroupExpression.EntryKey key() {
        if (in.isString()) {
            return new GroupExpression.EntryKey.Literal(in.string("a key"));
        }
        if (in.takeCall("attribute")) {
            String field = path();
            in.expect(')');
            return new GroupExpression.EntryKey.OfField(field);
        }
        return new GroupExpression.EntryKey.Literal(in.name("a key"));
    }

    /** Reads a call after its opening parenthesis. */
    private GroupExpression call(String written, int start) {
        String name = written.toLowerCase(Locale.ROOT);
        return switch (name) {
            case "predefined" -> predefined();
            case "quantiles" -> quantiles(start);
            case "summary" -> {
                String summary = in.is(')') ? "" : in.name("a document summary or ')'");
                in.expect(')');
                yield new GroupExpression.Summary(summary);
            }
            default -> call(name, arguments(), start);
        };
    }

    private GroupExpression call(String name, List<GroupExpression> arguments, int start) {
        Optional<Aggregator> aggregator = aggregator(name, arguments.size());
        if (aggregator.isPresent()) {
            boolean isCount = aggregator.get().isCount();
            if (arguments.size() != (isCount ? 0 : 1)) {
                throw in.errorAt(
                        start,
                        "%s takes %s, not %d"
                                .formatted(
                                        name,
                                        isCount ? "no arguments" : "1 argument",
                                        arguments.size()));
            }
            return new Aggregate(aggregator.get(), arguments.stream().findFirst());
        }
        GroupFunction function =
                GroupFunction.named(name)
                        .orElseThrow(
                                () -> in.errorAt(start, "there is no function '" + name + "'"));
        if (function == GroupFunction.GEO_KM) {
            in.expect('.');
            int unit = in.offset();
            function =
                    switch (in.name("km or miles").toLowerCase(Locale.ROOT)) {
                        case "km" -> GroupFunction.GEO_KM;
                        case "miles" -> GroupFunction.GEO_MILES;
                        default -> throw in.errorAt(unit, "expected km or miles");
                    };
        }
        if (!function.accepts(arguments.size())) {
            throw in.errorAt(
                    start,
                    "%s takes %s, not %d"
                            .formatted(function.text(), function.arguments(), arguments.size()));
        }
        return new Call(function, arguments);
    }

    /** {@code min}, {@code max} and {@code xor} of several are functions. */
    private static Optional<Aggregator> aggregator(String name, int arguments) {
        return switch (name) {
            case "count" -> Optional.of(Aggregator.COUNT);
            case "countdocs" -> Optional.of(Aggregator.COUNTDOCS);
            case "sum" -> Optional.of(Aggregator.SUM);
            case "avg" -> Optional.of(Aggregator.AVG);
            case "stddev" -> Optional.of(Aggregator.STDDEV);
            case "min" -> arguments > 1 ? Optional.empty() : Optional.of(Aggregator.MIN);
            case "max" -> arguments > 1 ? Optional.empty() : Optional.of(Aggregator.MAX);
            case "xor" -> arguments > 1 ? Optional.empty() : Optional.of(Aggregator.XOR);
            default -> Optional.empty();
        };
    }

    private List<GroupExpression> arguments() {
        var arguments = new ArrayList<GroupExpression>();
        if (in.take(')')) {
            return arguments;
        }
        do {
            checkCount(arguments.size());
            arguments.add(expression());
        } while (in.take(','));
        if (!in.take(')')) {
            throw in.unexpected("',' or ')'");
        }
        return arguments;
    }

    private void checkCount(int count) {
        if (count == ARGUMENTS_MAX) {
            throw in.errorAt(in.offset(), "more than " + ARGUMENTS_MAX + " arguments");
        }
    }

    private GroupExpression quantiles(int start) {
        var levels = new ArrayList<Double>();
        in.expect('[');
        do {
            checkCount(levels.size());
            double level = in.number("a number from 0 to 1").real();
            if (!(level >= 0 && level <= 1)) {
                throw in.errorAt(start, "quantiles are from 0 to 1, not " + level);
            }
            levels.add(level);
        } while (in.take(','));
        in.expect(']');
        in.expect(',');
        GroupExpression argument = expression();
        in.expect(')');
        return new GroupExpression.Quantiles(levels, argument);
    }

    private GroupExpression predefined() {
        GroupExpression value = expression();
        var buckets = new ArrayList<GroupBucket>();
        in.expect(',');
        Optional<Class<?>> type = Optional.empty();
        do {
            checkCount(buckets.size());
            int start = in.offset();
            GroupBucket bucket = bucket();
            Class<?> of = bucket.from().or(bucket::to).orElseThrow().getClass();
            if (type.isPresent() && !type.get().equals(of)) {
                throw in.errorAt(start, "the buckets of predefined(...) are not of one type");
            }
            type = Optional.of(of);
            buckets.add(bucket);
        } while (in.take(','));
        in.expect(')');
        return new GroupExpression.Predefined(value, buckets);
    }

    private GroupBucket bucket() {
        int start = in.offset();
        if (!in.takeWord("bucket")) {
            throw in.unexpected("bucket[...>");
        }
        boolean fromIncluded = !in.is('<');
        if (!in.take('<') && !in.take('[') && !in.take('(')) {
            throw in.unexpected("'[', '(' or '<'");
        }
        Optional<GroupValue> from = end(true);
        boolean isOne = !in.take(',');
        Optional<GroupValue> to = isOne ? from : end(false);
        boolean toIncluded = in.is(']') || isOne;
        if (!in.take(']') && !in.take('>') && !in.take(')')) {
            throw in.unexpected("']', ')' or '>'");
        }
        if (from.isEmpty() && to.isEmpty()) {
            throw in.errorAt(start, "a bucket has at least one end");
        }
        if (from.isPresent() && to.isPresent()) {
            if (!from.get().getClass().equals(to.get().getClass())) {
                throw in.errorAt(start, "the ends of a bucket are not of one type");
            }
            if (GroupValue.compare(to.get(), from.get()) < 0) {
                throw in.errorAt(start, "a bucket ends before it begins");
            }
        }
        if (!fromIncluded && from.isPresent() && next(from.get()).isEmpty()) {
            throw in.errorAt(start, "a bucket has no value in it");
        }
        return new GroupBucket(
                fromIncluded ? from : from.flatMap(GroupExpressionParser::next),
                toIncluded ? to.flatMap(GroupExpressionParser::next) : to);
    }

    private Optional<GroupValue> end(boolean isFrom) {
        if (in.isString()) {
            return Optional.of(new GroupValue.Text(in.string("a string")));
        }
        int start = in.offset();
        boolean negative = in.take('-');
        if (in.takeWord("inf")) {
            if (negative != isFrom) {
                throw in.errorAt(
                        start,
                        isFrom
                                ? "a bucket begins at -inf or later"
                                : "a bucket ends at inf or before");
            }
            return Optional.empty();
        }
        if (!negative && in.isName()) {
            return Optional.of(new GroupValue.Text(in.name("a string")));
        }
        if (!negative && in.take('{')) {
            return Optional.of(new GroupValue.Raw(bytes()));
        }
        GroupingReader.Literal number = in.number("a number, a string, bytes or inf");
        return Optional.of(
                number.isWhole()
                        ? new GroupValue.Whole(negative ? -number.whole() : number.whole())
                        : new GroupValue.Real(negative ? -number.real() : number.real()));
    }

    /** Reads the bytes of a list after its opening brace. */
    private String bytes() {
        var bytes = new StringBuilder();
        do {
            checkCount(bytes.length());
            int start = in.offset();
            GroupingReader.Literal number = in.number("a byte");
            if (!number.isWhole() || number.whole() < 0 || number.whole() > 255) {
                throw in.errorAt(start, "a byte is a whole number from 0 to 255");
            }
            bytes.append((char) number.whole());
        } while (in.take(','));
        in.expect('}');
        return bytes.toString();
    }

    /** Returns the next larger value; empty if there is none. */
    private static Optional<GroupValue> next(GroupValue value) {
        return switch (value) {
            case GroupValue.Whole(long number) ->
                    number == Long.MAX_VALUE
                            ? Optional.empty()
                            : Optional.of(new GroupValue.Whole(number + 1));
            case GroupValue.Real(double number) ->
                    Optional.of(new GroupValue.Real(Math.nextUp(number)));
            case GroupValue.Text(String text) -> Optional.of(new GroupValue.Text(text + " "));
            case GroupValue.Raw(String bytes) -> Optional.of(new GroupValue.Raw(bytes + '\0'));
            case GroupValue.Truth _, GroupValue.Quantiles _ ->
                    throw new IllegalStateException("a bucket's end: " + value);
        };
    }
}
