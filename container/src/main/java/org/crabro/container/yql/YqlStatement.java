package org.crabro.container.yql;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.search.SortKey;

/**
 * A statement that is parsed, before the parameters of a request are put in. It depends on the text
 * alone, so that all requests with the same text share it.
 *
 * @param where the condition; empty if all documents match
 * @param groupings offset of the first grouping in the text; empty if there is none
 */
record YqlStatement(
        String text,
        YqlQuery.Select select,
        Optional<YqlExpression> where,
        List<SortKey> sorting,
        Numbers numbers,
        OptionalInt groupings) {
    YqlStatement {
        sorting = List.copyOf(sorting);
    }

    /**
     * The numbers of the clauses that are written, each as a whole number or a parameter.
     *
     * @param timeout in milliseconds
     */
    record Numbers(Optional<Token> limit, Optional<Token> offset, Optional<Token> timeout) {}

    /**
     * Returns the query of a request.
     *
     * @throws YqlSyntaxException at the first error or unsupported part
     */
    YqlQuery query(QueryContext context) {
        QueryNode tree =
                where.isEmpty()
                        ? new QueryNode.All()
                        : new TreeBuilder("query from YQL: query", text, context).tree(where.get());
        return new YqlQuery(
                tree,
                select,
                sorting,
                new YqlQuery.Window(
                        window("limit", numbers.limit, context),
                        window("offset", numbers.offset, context)),
                numbers.timeout.map(each -> Duration.ofMillis(number("timeout", each, context))),
                groupings.isEmpty()
                        ? List.of()
                        : YqlGroupings.parse(text, groupings.getAsInt(), context));
    }

    private OptionalInt window(String clause, Optional<Token> written, QueryContext context) {
        if (written.isEmpty()) {
            return OptionalInt.empty();
        }
        long number = number(clause, written.get(), context);
        if (number > Integer.MAX_VALUE) {
            throw error(written.get(), clause + " " + number + " is too large");
        }
        return OptionalInt.of((int) number);
    }

    private long number(String clause, Token written, QueryContext context) {
        String digits =
                written.kind() == Token.Kind.PARAMETER
                        ? context.parameter(written.text())
                                .orElseThrow(() ->
                                        error(
                                                written,
                                                "missing query property '" + written.text() + "'"))
                        : written.text();
        try {
            long number = Long.parseLong(digits.strip());
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException _) {
            // reported below, like a negative number
        }
        throw error(
                written,
                "expected a whole number from 0 on for " + clause + ", got '" + digits + "'");
    }

    private YqlSyntaxException error(Token at, String problem) {
        return YqlSyntaxException.at(text, at.start(), problem);
    }
}
