package org.crabro.container.yql;

import java.util.ArrayList;
import java.util.List;
import org.crabro.protocol.grouping.GroupCondition;
import org.crabro.protocol.grouping.GroupCondition.Comparison;
import org.crabro.protocol.grouping.GroupExpression;

/**
 * Parses the conditions on groups.
 *
 * <pre>
 *   condition := both { "or" both }
 *   both      := one { "and" one }
 *   one       := "not" one | "(" condition ")" | expression sign expression
 *   sign      := "=" | "!=" | "&lt;" | "&lt;=" | ">" | ">="
 * </pre>
 *
 * Parentheses are around a condition where values are compared in them, and else around an
 * expression.
 */
final class HavingParser {
    private final GroupingReader in;
    private final GroupExpressionParser expressions;
    private int depth;

    HavingParser(GroupingReader in, GroupExpressionParser expressions) {
        this.in = in;
        this.expressions = expressions;
    }

    /** Reads conditions that must all hold. */
    List<GroupCondition> conditions() {
        GroupCondition condition = condition();
        return condition instanceof GroupCondition.And(var operands)
                ? operands
                : List.of(condition);
    }

    private GroupCondition condition() {
        var operands = new ArrayList<GroupCondition>();
        do {
            operands.add(both());
        } while (in.takeWord("or"));
        return operands.size() == 1 ? operands.getFirst() : new GroupCondition.Or(operands);
    }

    private GroupCondition both() {
        var operands = new ArrayList<GroupCondition>();
        do {
            operands.add(one());
        } while (in.takeWord("and"));
        return operands.size() == 1 ? operands.getFirst() : new GroupCondition.And(operands);
    }

    private GroupCondition one() {
        if (++depth > GroupingParser.DEPTH_MAX) {
            throw in.errorAt(
                    in.offset(),
                    "more than " + GroupingParser.DEPTH_MAX + " conditions in one another");
        }
        GroupCondition condition;
        if (in.takeWord("not")) {
            condition = new GroupCondition.Not(one());
        } else if (in.comparesInParentheses()) {
            in.expect('(');
            condition = condition();
            in.expect(')');
        } else {
            condition = compared();
        }
        depth--;
        return condition;
    }

    private GroupCondition compared() {
        GroupExpression left = expressions.expression();
        Comparison comparison = sign();
        return new GroupCondition.Compared(left, comparison, expressions.expression());
    }

    private Comparison sign() {
        if (in.take('<')) {
            return in.take('=') ? Comparison.LESS_OR_EQUAL : Comparison.LESS;
        }
        if (in.take('>')) {
            return in.take('=') ? Comparison.GREATER_OR_EQUAL : Comparison.GREATER;
        }
        if (in.take('!')) {
            in.expect('=');
            return Comparison.NOT_EQUAL;
        }
        if (in.take('=')) {
            in.take('=');
            return Comparison.EQUAL;
        }
        throw in.unexpected("one of =, !=, <, <=, > and >=");
    }
}
