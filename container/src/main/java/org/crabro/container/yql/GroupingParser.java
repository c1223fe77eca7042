package org.crabro.container.yql;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.crabro.protocol.grouping.GroupCondition;
import org.crabro.protocol.grouping.GroupExpression;
import org.crabro.protocol.grouping.GroupFill;
import org.crabro.protocol.grouping.GroupFilter;
import org.crabro.protocol.grouping.GroupValue;
import org.crabro.protocol.grouping.GroupingOperation;
import org.crabro.protocol.grouping.GroupingOperation.Clauses;
import org.crabro.protocol.grouping.GroupingOperation.DocumentClauses;
import org.crabro.protocol.grouping.GroupingOperation.HintClauses;
import org.crabro.protocol.grouping.GroupingOperation.Kind;
import org.crabro.protocol.grouping.GroupingOperation.ListClauses;
import org.crabro.protocol.grouping.GroupingOperation.Order;
import org.crabro.protocol.grouping.GroupingOperation.Output;
import org.crabro.protocol.grouping.GroupingOperation.Where;
import org.crabro.text.RegexBounds;

/**
 * Parses groupings.
 *
 * <pre>
 *   requests  := request { ";" request } [ ";" ]
 *   request   := operation [ "where" "(" ( "true" | "$query" ) ")" ]
 *   operation := "all" "(" body ")" | "each" "(" body ")" [ "as" "(" label ")" ]
 *   body      := [ "group" "(" expression ")" ] { clause } { operation }
 *   clause    := "max" "(" ( whole | "inf" ) ")" | "order" "(" expression { "," expression } ")"
 *              | "having" "(" condition of groups ")" | "fill" "(" [ bound "," bound ] ")"
 *              | "output" "(" output { "," output } ")" | ( "filter" | "keep" ) "(" filter ")"
 *              | "accuracy" "(" number ")" | "precision" "(" whole ")" | "hint" "(" name ")"
 *              | "alias" "(" name "," expression ")" | "where" "(" ( "true" | "$query" ) ")"
 *   output    := expression [ "as" "(" label ")" ]
 *   filter    := conjunction { "or" conjunction }
 *   conjunction := condition { "and" condition }
 *   condition := "not" condition | "(" filter ")" | "istrue" "(" expression ")"
 *              | "regex" "(" string "," expression ")"
 *              | "range" "(" number "," number "," expression [ "," truth "," truth ] ")"
 *   bound     := [ "-" ] number
 *   label     := name | string
 * </pre>
 *
 * {@link GroupExpressionParser} parses expressions, {@link HavingParser} conditions of groups. If a
 * scalar clause occurs twice, the last one counts; orders and outputs are added. {@code $name}
 * refers to an {@code alias}, or {@code $name = ...}, around it or before it.
 */
public final class GroupingParser {
    /** The deepest nesting of operations, and of parentheses. */
    static final int DEPTH_MAX = 100;

    /** A text with more requests is rejected. */
    private static final int REQUESTS_MAX = 100;

    private final GroupingReader in;
    private final GroupExpressionParser expressions;
    private final Map<String, GroupExpressionParser.Alias> aliases = new HashMap<>();
    private int depth;

    GroupingParser(GroupingReader in) {
        this.in = in;
        this.expressions = new GroupExpressionParser(in, aliases);
    }

    /** Returns the operations in the request parameter {@code select}. */
    public static List<GroupingOperation> parse(String text) {
        return parse(text, List.of()).stream().map(YqlGrouping::operation).toList();
    }

    /**
     * Returns the groupings in the request parameter {@code select}.
     *
     * @param continuations for each of them
     * @throws YqlSyntaxException at the first wrong place
     */
    public static List<YqlGrouping> parse(String text, List<String> continuations) {
        var in = new GroupingReader("grouping from select: select", text, 0);
        var requests = new ArrayList<YqlGrouping>();
        do {
            if (requests.size() == REQUESTS_MAX) {
                throw in.errorAt(in.offset(), "more than " + REQUESTS_MAX + " groupings");
            }
            GroupingOperation request = new GroupingParser(in).request();
            requests.add(new YqlGrouping(request, continuations, in.takeNotes()));
        } while (in.take(';') && !in.isAtEnd());
        if (!in.isAtEnd()) {
            throw in.unexpected("';' or the end");
        }
        return requests;
    }

    /** Reads one request. */
    GroupingOperation request() {
        GroupingOperation operation = operation();
        if (!in.takeCall("where")) {
            return operation;
        }
        Where where = where();
        return new GroupingOperation(
                Kind.ALL,
                Optional.empty(),
                new Clauses(
                        new DocumentClauses(where, Optional.empty()),
                        ListClauses.NONE,
                        List.of(),
                        HintClauses.NONE),
                List.of(operation),
                "");
    }

    private GroupingOperation operation() {
        if (++depth > DEPTH_MAX) {
            throw in.errorAt(in.offset(), "more than " + DEPTH_MAX + " operations in one another");
        }
        GroupingOperation operation;
        if (in.takeCall("all")) {
            operation = body(Kind.ALL);
        } else if (in.takeCall("each")) {
            operation = body(Kind.EACH);
        } else {
            throw in.unexpected("all(...) or each(...)");
        }
        depth--;
        return operation;
    }

    private GroupingOperation body(Kind kind) {
        // Names are local to an operation.
        Map<String, GroupExpressionParser.Alias> outer = new HashMap<>(aliases);
        Optional<GroupExpression> group =
                in.takeCall("group")
                        ? Optional.of(closed(expressions.expression()))
                        : Optional.empty();
        in.take(',');
        var clauses = new ClausesDraft();
        while (clause(clauses)) {
            in.take(',');
        }
        var children = new ArrayList<GroupingOperation>();
        while (!in.is(')')) {
            if (!isCall("all") && !isCall("each")) {
                throw in.unexpected(
                        children.isEmpty()
                                ? "a clause such as output(...), an operation or ')'"
                                : "an operation or ')'");
            }
            children.add(operation());
            in.take(',');
        }
        in.expect(')');
        aliases.clear();
        aliases.putAll(outer);
        String label = kind == Kind.EACH && in.takeCall("as") ? closed(label()) : "";
        return new GroupingOperation(kind, group, clauses.clauses(), children, label);
    }

    private boolean isCall(String word) {
        int start = in.offset();
        boolean is = in.takeCall(word);
        in.goTo(start);
        return is;
    }

    /** The clauses of an operation that have been read. */
    private static final class ClausesDraft {
        private Where where = Where.UNSAID;
        private Optional<GroupFilter> filter = Optional.empty();
        private OptionalInt max = OptionalInt.empty();
        private final List<Order> order = new ArrayList<>();
        private final List<GroupCondition> having = new ArrayList<>();
        private Optional<GroupFill> fill = Optional.empty();
        private final List<Output> outputs = new ArrayList<>();
        private OptionalDouble accuracy = OptionalDouble.empty();
        private OptionalInt precision = OptionalInt.empty();
        private final List<String> hints = new ArrayList<>();

        Clauses clauses() {
            return new Clauses(
                    new DocumentClauses(where, filter),
                    new ListClauses(max, order, having, fill),
                    outputs,
                    new HintClauses(accuracy, precision, hints));
        }
    }

    private boolean clause(ClausesDraft draft) {
        int start = in.offset();
        if (in.takeCall("max")) {
            draft.max = OptionalInt.of(closed(max()));
        } else if (in.takeCall("order")) {
            do {
                draft.order.add(order());
            } while (in.take(','));
            in.expect(')');
        } else if (in.takeCall("output")) {
            do {
                draft.outputs.add(output());
            } while (in.take(','));
            in.expect(')');
        } else if (in.takeCall("having")) {
            draft.having.addAll(closed(new HavingParser(in, expressions).conditions()));
        } else if (in.takeCall("fill")) {
            draft.fill = Optional.of(fill());
        } else if (in.takeCall("filter") || in.takeCall("keep")) {
            draft.filter = Optional.of(closed(filter()));
        } else if (in.takeCall("accuracy")) {
            GroupingReader.Literal number = in.number("a number");
            if (!(number.real() > 0 && number.real() <= 1)) {
                throw in.errorAt(start, "accuracy is above 0 and at most 1, not " + number.real());
            }
            draft.accuracy = OptionalDouble.of(closed(number.real()));
        } else if (in.takeCall("precision")) {
            draft.precision = OptionalInt.of(closed(count("precision")));
        } else if (in.takeCall("hint")) {
            draft.hints.add(closed(in.name("a hint")));
        } else if (in.takeCall("alias")) {
            String name = in.name("a name");
            in.expect(',');
            expressions.define(name);
            in.expect(')');
        } else if (in.takeCall("where")) {
            draft.where = where();
        } else {
            return false;
        }
        return true;
    }

    private <T> T closed(T value) {
        in.expect(')');
        return value;
    }

    private Where where() {
        if (in.takeWord("true")) {
            return closed(Where.EVERYTHING);
        }
        int start = in.offset();
        if (in.take('$') && in.takeWord("query")) {
            return closed(Where.MATCHES);
        }
        in.goTo(start);
        throw in.unexpected("true or $query");
    }

    private GroupFill fill() {
        if (in.take(')')) {
            return new GroupFill(Optional.empty());
        }
        int start = in.offset();
        GroupValue from = bound();
        in.expect(',');
        GroupValue to = bound();
        if (GroupValue.compare(from, to) >= 0) {
            throw in.errorAt(start, "the first bound of fill is below the second");
        }
        return closed(new GroupFill(Optional.of(new GroupFill.Bounds(from, to))));
    }

    private GroupValue bound() {
        boolean negative = in.take('-');
        GroupingReader.Literal number = in.number("a number");
        return number.isWhole()
                ? new GroupValue.Whole(negative ? -number.whole() : number.whole())
                : new GroupValue.Real(negative ? -number.real() : number.real());
    }

    private int max() {
        return in.takeWord("inf") ? GroupingOperation.UNLIMITED : count("max");
    }

    private int count(String clause) {
        int start = in.offset();
        GroupingReader.Literal number = in.number("a whole number");
        if (!number.isWhole() || number.whole() < 1 || number.whole() > Integer.MAX_VALUE) {
            throw in.errorAt(start, clause + " is a whole number from 1 on");
        }
        return (int) number.whole();
    }

    private Order order() {
        boolean descending = in.take('-');
        if (!descending) {
            in.take('+');
        }
        return new Order(expressions.expression(), descending);
    }

    private Output output() {
        GroupExpression value = expressions.expression();
        return new Output(value, in.takeCall("as") ? closed(label()) : value.text());
    }

    private String label() {
        return in.isString() ? in.string("a label") : in.name("a label");
    }

    private GroupFilter filter() {
        var operands = new ArrayList<GroupFilter>();
        do {
            operands.add(conjunction());
        } while (in.takeWord("or"));
        return operands.size() == 1 ? operands.getFirst() : new GroupFilter.Or(operands);
    }

    private GroupFilter conjunction() {
        var operands = new ArrayList<GroupFilter>();
        do {
            operands.add(condition());
        } while (in.takeWord("and"));
        return operands.size() == 1 ? operands.getFirst() : new GroupFilter.And(operands);
    }

    private GroupFilter condition() {
        if (++depth > DEPTH_MAX) {
            throw in.errorAt(in.offset(), "more than " + DEPTH_MAX + " conditions in one another");
        }
        GroupFilter condition;
        if (in.takeCall("regex")) {
            int at = in.offset();
            String pattern = in.string("a pattern in quotes");
            checkPattern(pattern, at);
            in.expect(',');
            condition = new GroupFilter.Regex(pattern, closed(expressions.expression()));
        } else if (in.takeCall("range")) {
            condition = range();
        } else if (in.takeCall("istrue")) {
            condition = new GroupFilter.IsTrue(closed(expressions.expression()));
        } else if (in.takeWord("not")) {
            condition = new GroupFilter.Not(condition());
        } else if (in.take('(')) {
            condition = closed(filter());
        } else {
            throw in.unexpected("regex(...), range(...), istrue(...), not or '('");
        }
        depth--;
        return condition;
    }

    private void checkPattern(String pattern, int at) {
        Optional<String> tooMuch = RegexBounds.problem(pattern);
        if (tooMuch.isPresent()) {
            throw in.errorAt(at, "the pattern has " + tooMuch.get());
        }
        try {
            Pattern.compile(pattern);
        } catch (PatternSyntaxException e) {
            throw in.errorAt(
                    at,
                    "the pattern '%s' is wrong: %s at index %d"
                            .formatted(pattern, e.getDescription(), Math.max(0, e.getIndex())));
        }
    }

    private GroupFilter range() {
        double from = signed();
        in.expect(',');
        double to = signed();
        in.expect(',');
        GroupExpression value = expressions.expression();
        boolean fromIncluded = true;
        boolean toIncluded = false;
        if (in.take(',')) {
            fromIncluded = truth();
            in.expect(',');
            toIncluded = truth();
        }
        return closed(new GroupFilter.Range(from, to, value, fromIncluded, toIncluded));
    }

    private double signed() {
        boolean negative = in.take('-');
        double number =
                in.takeWord("inf") || in.takeWord("infinity")
                        ? Double.POSITIVE_INFINITY
                        : in.number("a number").real();
        return negative ? -number : number;
    }

    private boolean truth() {
        if (in.takeWord("true")) {
            return true;
        }
        if (in.takeWord("false")) {
            return false;
        }
        throw in.unexpected("true or false");
    }
}
