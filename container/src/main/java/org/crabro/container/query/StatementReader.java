package org.crabro.container.query;

import java.util.List;
import java.util.Optional;
import org.crabro.container.yql.SelectJson;
import org.crabro.container.yql.YqlParser;
import org.crabro.container.yql.YqlQuery;
import org.crabro.container.yql.YqlSyntaxException;
import org.crabro.protocol.query.QueryNode;

/**
 * Reads the statement of a request: YQL in {@code yql}, JSON in {@code select.where}, or words in
 * {@code query}. Each request uses one of them.
 */
final class StatementReader {
    private static final List<Parameter> SELECTING =
            List.of(Parameter.SELECT_WHERE, Parameter.SELECT_GROUPING, Parameter.SELECT_FIELDS);

    /** The trace shows this many characters of a query. */
    private static final int WRITTEN_CHARS = 1_000;

    private final Parameters parameters;
    private final RequestContext context;
    private final WandReader wand;

    StatementReader(Parameters parameters, RequestContext context) {
        this.parameters = parameters;
        this.context = context;
        this.wand = new WandReader(parameters, context);
    }

    /**
     * The statement of a request.
     *
     * @param allSources whether the statement selects every source and overrides the parameters
     */
    record Statement(YqlQuery yql, boolean allSources) {
        /** Returns the same statement with another condition. */
        Statement with(QueryNode tree) {
            return new Statement(yql.withTree(tree), allSources);
        }
    }

    /**
     * Returns the statement.
     *
     * @throws IllegalQueryException if the request has none, has several, or has a wrong one
     */
    Statement statement() {
        Statement statement = withoutWand();
        return statement.with(wand.narrowed(statement.yql().tree()));
    }

    /** Returns the statement in YQL; empty if the request has none. */
    Optional<Statement> inYql() {
        return parameters
                .text(Parameter.YQL)
                .filter(text -> !text.isBlank())
                .or(() -> parameters.text(Parameter.QUERY).filter(_ -> isYql()))
                .map(this::parsed);
    }

    private Statement withoutWand() {
        Optional<String> yql = parameters.text(Parameter.YQL);
        Optional<String> words = parameters.text(Parameter.QUERY);
        Optional<String> where = parameters.text(Parameter.SELECT_WHERE);
        checkLanguages(yql.isPresent(), words.isPresent());
        if (where.isPresent() || parameters.text(Parameter.SELECT_GROUPING).isPresent()) {
            return selected(where.orElse("true"));
        }
        if (yql.isPresent() && !yql.get().isBlank()) {
            return parsed(yql.get());
        }
        if (words.isPresent() && isYql()) {
            return parsed(words.get());
        }
        if (words.isEmpty()
                && (parameters.text(Parameter.RELATED_ID).isPresent()
                        || wand.operator().isPresent())) {
            return new Statement(
                    plain(context.queryString().recalled(new QueryNode.All()), List.of()), false);
        }
        QueryNode tree =
                context.userQuery()
                        .orElseThrow(() ->
                                new IllegalQueryException(
                                        ErrorCode.NULL_QUERY,
                                        "expected a statement in 'yql' or words in"
                                                + " 'query', but found neither"));
        return new Statement(plain(context.queryString().recalled(tree), List.of()), false);
    }

    /**
     * Returns a condition that a searcher of the application adds to a request.
     *
     * @param condition in YQL, as after {@code where}
     * @throws IllegalQueryException if it is no condition
     */
    QueryNode condition(String condition) {
        try {
            return YqlParser.condition(condition, context);
        } catch (YqlSyntaxException e) {
            throw illegal("filter '%s': %s".formatted(condition, e.getMessage()));
        }
    }

    /** Returns the beginning of the statement as the request contains it, for the trace. */
    String written() {
        return parameters
                .text(Parameter.YQL)
                .or(() -> parameters.text(Parameter.SELECT_WHERE))
                .or(() -> parameters.text(Parameter.QUERY))
                .map(text ->
                        text.length() > WRITTEN_CHARS
                                ? text.substring(0, WRITTEN_CHARS) + "…"
                                : text)
                .orElse("");
    }

    private static YqlQuery plain(QueryNode tree, List<String> fields) {
        return new YqlQuery(
                tree,
                new YqlQuery.Select(fields, List.of()),
                List.of(),
                YqlQuery.Window.NONE,
                Optional.empty(),
                List.of());
    }

    /** Returns whether the words in {@code query} are a statement. */
    private boolean isYql() {
        return context.type().equalsIgnoreCase("yql")
                || parameters.text(Parameter.TYPE_SYNTAX).orElse("").equalsIgnoreCase("yql");
    }

    /** A request uses one query language. */
    private void checkLanguages(boolean hasYql, boolean hasWords) {
        if ((hasYql || hasWords) && parameters.hasAny(SELECTING)) {
            throw illegal(
                    "'%s' cannot be combined with 'select.where', 'select.grouping' and"
                                    .formatted(hasYql ? "yql" : "query")
                            + " 'select.fields'");
        }
    }

    private Statement selected(String where) {
        try {
            List<String> fields =
                    parameters
                            .text(Parameter.SELECT_FIELDS)
                            .map(SelectJson::fields)
                            .orElse(List.of());
            return new Statement(
                    plain(context.queryString().recalled(SelectJson.where(where, context)), fields),
                    false);
        } catch (YqlSyntaxException e) {
            throw illegal(String.valueOf(e.getMessage()));
        }
    }

    private Statement parsed(String yql) {
        try {
            YqlQuery query = YqlParser.parse(yql, context);
            return new Statement(
                    query.withTree(context.queryString().recalled(query.tree())),
                    query.select().sources().isEmpty());
        } catch (YqlSyntaxException e) {
            ErrorCode code =
                    switch (e.kind()) {
                        case STATEMENT -> ErrorCode.INVALID_PARAMETER;
                        case VALUE -> ErrorCode.ILLEGAL_QUERY;
                    };
            throw new IllegalQueryException(code, String.valueOf(e.getMessage()));
        }
    }

    private static IllegalQueryException illegal(String problem) {
        return new IllegalQueryException(ErrorCode.ILLEGAL_QUERY, problem);
    }
}
