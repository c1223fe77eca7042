package org.crabro.container.yql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.search.SortKey;
import org.crabro.protocol.search.TextOrder;

/**
 * Parses YQL statements.
 *
 * <pre>
 *   statement := "select" ( "*" | path { "," path } )
 *                "from" ( "sources" ( "*" | sources ) | sources )
 *                [ "where" expression ]
 *                [ "order" "by" order { "," order } ]
 *                [ "limit" number ] [ "offset" number ] [ "timeout" number ]
 *                { "|" grouping } [ ";" ]
 *   sources   := path { "," path }
 *   order     := [ annotations ] ( path [ "{" ( name | string ) "}" [ "." path ] ] | string ) [ "asc" | "desc" ]
 *   number    := whole | parameter
 * </pre>
 *
 * {@link YqlExpressionParser} parses expressions, {@link YqlGroupings} and {@link GroupingParser}
 * parse groupings. Of a source only the first name counts. {@code limit} is the end of the window
 * of hits, independent of the offset. {@code timeout} is in milliseconds.
 *
 * {@snippet :
 * YqlQuery query = YqlParser.parse("select * from music where title contains 'blue'", context);
 * }
 */
public final class YqlParser {
    private static final Set<String> CLAUSES =
            Set.of("where", "order", "limit", "offset", "timeout");

    /** The keys that sort by score; fields cannot have these names. */
    private static final Set<String> RELEVANCE = Set.of("[rank]", "[relevance]", "[relevancy]");

    private static final YqlStatementCache KNOWN = new YqlStatementCache();

    private final String text;
    private final TokenReader tokens;
    private final YqlExpressionParser expressions;

    private YqlParser(String text) {
        this.text = text;
        this.tokens = new TokenReader(text);
        this.expressions = new YqlExpressionParser(tokens);
    }

    /**
     * Parses a statement. A text that was parsed not long ago is not parsed again.
     *
     * @throws YqlSyntaxException if there is an error or an unsupported part
     */
    public static YqlQuery parse(String text, QueryContext context) {
        return KNOWN.statement(text, each -> new YqlParser(each).statement()).query(context);
    }

    /**
     * Parses a condition, as after {@code where}. The condition is the whole text: it cannot close
     * a parenthesis around it, or add another clause.
     *
     * @throws YqlSyntaxException if there is an error or an unsupported part
     */
    public static QueryNode condition(String text, QueryContext context) {
        return tree(YqlExpressionParser.value(text), text, context);
    }

    /**
     * Returns the condition of a function on a field, such as {@code dotProduct}.
     *
     * @param operand its second argument in YQL, such as a map
     * @throws YqlSyntaxException if there is an error or an unsupported part
     */
    public static QueryNode function(
            String name, String field, String operand, QueryContext context) {
        return tree(
                new YqlExpression.Call(
                        0,
                        name,
                        List.of(
                                new YqlExpression.Name(0, field),
                                YqlExpressionParser.value(operand))),
                operand,
                context);
    }

    /**
     * Returns the condition that a field contains a word.
     *
     * @throws YqlSyntaxException if the field cannot contain it
     */
    public static QueryNode contains(String field, String word, int weight, QueryContext context) {
        var weighted =
                new YqlExpression.MapOf(
                        0,
                        List.of(
                                new YqlExpression.Entry(
                                        0, "weight", new YqlExpression.Whole(0, weight))));
        return tree(
                new YqlExpression.Annotated(
                        0,
                        weighted,
                        new YqlExpression.Comparison(
                                new YqlExpression.Name(0, field),
                                0,
                                YqlExpression.Operator.CONTAINS,
                                new YqlExpression.Text(0, word))),
                word,
                context);
    }

    private static QueryNode tree(YqlExpression expression, String text, QueryContext context) {
        return new TreeBuilder("query from YQL: query", text, context).tree(expression);
    }

    private YqlStatement statement() {
        tokens.expectWord("select");
        List<String> summaryFields = tokens.takeSymbol("*") ? List.of() : paths("a field or '*'");
        tokens.expectWord("from");
        List<String> sources = sources();
        Optional<YqlExpression> where =
                tokens.takeWord("where") ? Optional.of(expressions.expression()) : Optional.empty();
        List<SortKey> sorting = tokens.takeWord("order") ? order() : List.of();
        var numbers =
                new YqlStatement.Numbers(number("limit"), number("offset"), number("timeout"));
        OptionalInt groupings = OptionalInt.empty();
        if (tokens.isSymbol("|")) {
            groupings = OptionalInt.of(tokens.peek().end());
        } else {
            tokens.takeSymbol(";");
            if (tokens.peek().kind() != Token.Kind.END) {
                throw tokens.unexpected("the end of the statement");
            }
        }
        return new YqlStatement(
                text,
                new YqlQuery.Select(summaryFields, sources),
                where,
                sorting,
                numbers,
                groupings);
    }

    private List<String> sources() {
        if (!tokens.isWord("sources") || namesASource(tokens.peekBehind())) {
            return firstNames(paths("a source"));
        }
        tokens.next();
        return tokens.takeSymbol("*") ? List.of() : firstNames(paths("a source or '*'"));
    }

    /**
     * Returns whether {@code sources} is the name of a schema: then a clause or the end follows it.
     */
    private static boolean namesASource(Token behind) {
        return switch (behind.kind()) {
            case NAME -> CLAUSES.contains(behind.text().toLowerCase(Locale.ROOT));
            case SYMBOL -> !behind.isSymbol("*");
            case END, WHOLE, REAL, PERIOD, STRING, PARAMETER -> true;
        };
    }

    private static List<String> firstNames(List<String> paths) {
        var names = new ArrayList<String>();
        for (String path : paths) {
            int dot = path.indexOf('.');
            names.add(dot < 0 ? path : path.substring(0, dot));
        }
        return names;
    }

    private List<String> paths(String what) {
        var paths = new ArrayList<String>();
        do {
            paths.add(tokens.pathAfter(tokens.expectName(what)));
        } while (tokens.takeSymbol(","));
        return paths;
    }

    private List<SortKey> order() {
        tokens.expectWord("by");
        var keys = new ArrayList<SortKey>();
        do {
            keys.add(sortKey());
        } while (tokens.takeSymbol(","));
        return keys;
    }

    private SortKey sortKey() {
        TextOrder texts = new TextOrder.Declared();
        SortKey.Several several = SortKey.Several.FIRST;
        if (tokens.isSymbol("{") || tokens.isSymbol("[")) {
            Token start = tokens.peek();
            YqlExpression.MapOf annotations = annotations();
            texts = textOrder(annotations, start);
            several = several(annotations, start);
        }
        Token token = tokens.peek();
        if (token.kind() == Token.Kind.STRING) {
            tokens.next();
            String name = token.text().toLowerCase(Locale.ROOT);
            if (RELEVANCE.contains(name)) {
                return new SortKey.Relevance(ascending(false));
            }
            if (name.equals("[docid]")) {
                return new SortKey.DocumentIds(ascending(true));
            }
            if (name.equals("[source]")) {
                return new SortKey.Sources(ascending(true), "");
            }
            if (name.startsWith("[")) {
                throw tokens.errorAt(
                        token.start(),
                        "expected [rank], [docid], [source] or a field, got \"" + name + '"');
            }
            return key(token.text(), texts).with(several);
        }
        return key(sortField(), texts).with(several);
    }

    /** Reads a field, a part of one, or an entry of a map. */
    private String sortField() {
        String field = tokens.pathAfter(tokens.expectName("a field"));
        if (!tokens.takeSymbol("{")) {
            return field;
        }
        Token key = tokens.peek();
        if (key.kind() != Token.Kind.STRING && key.kind() != Token.Kind.NAME) {
            throw tokens.unexpected("the key of a map");
        }
        tokens.next();
        tokens.expectSymbol("}");
        String path =
                tokens.takeSymbol(".")
                        ? "." + tokens.pathAfter(tokens.expectName("a name after '.'"))
                        : "";
        return field + "{\"" + key.text() + "\"}" + path;
    }

    private SortKey.FieldValueOf key(String field, TextOrder texts) {
        return new SortKey.FieldValueOf(field, ascending(true)).with(texts);
    }

    /** Reads the annotations before a field, which set the order of its values. */
    private YqlExpression.MapOf annotations() {
        boolean bracket = tokens.takeSymbol("[");
        YqlExpression.MapOf annotations = expressions.map();
        if (bracket) {
            tokens.expectSymbol("]");
        }
        return annotations;
    }

    private SortKey.Several several(YqlExpression.MapOf annotations, Token start) {
        Optional<String> mode = text(annotations, "mode");
        return mode.isEmpty()
                ? SortKey.Several.FIRST
                : TextOrders.several(mode.get())
                        .orElseThrow(() ->
                                tokens.errorAt(
                                        start.start(),
                                        "expected min, max or sum for annotation 'mode', got \"%s\""
                                                .formatted(mode.get())));
    }

    private TextOrder textOrder(YqlExpression.MapOf annotations, Token start) {
        Optional<String> function = text(annotations, "function");
        return switch (function.map(name -> name.toLowerCase(Locale.ROOT)).orElse("")) {
            case "" -> new TextOrder.Declared();
            case "raw" -> new TextOrder.Raw();
            case "lowercase" -> new TextOrder.LowerCase();
            case "uca" -> {
                try {
                    yield TextOrders.collated(
                            text(annotations, "locale"), text(annotations, "strength"));
                } catch (IllegalArgumentException e) {
                    throw tokens.errorAt(start.start(), "order by function uca: " + e.getMessage());
                }
            }
            default ->
                    throw tokens.errorAt(
                            start.start(),
                            "expected uca, lowercase or raw for annotation 'function', got \""
                                    + function.orElse("")
                                    + '"');
        };
    }

    private static Optional<String> text(YqlExpression.MapOf annotations, String key) {
        return annotations.entries().stream()
                .filter(entry -> entry.key().equals(key))
                .map(entry -> entry.value() instanceof YqlExpression.Text(_, var text) ? text : "")
                .findFirst();
    }

    private boolean ascending(boolean otherwise) {
        if (tokens.takeWord("asc")) {
            return true;
        }
        return !tokens.takeWord("desc") && otherwise;
    }

    /** Returns the number of a clause, which may be a parameter; empty without the clause. */
    private Optional<Token> number(String clause) {
        if (!tokens.takeWord(clause)) {
            return Optional.empty();
        }
        Token.Kind kind = tokens.peek().kind();
        if (kind != Token.Kind.PARAMETER && kind != Token.Kind.WHOLE) {
            throw tokens.unexpected("a whole number or a parameter after '" + clause + "'");
        }
        return Optional.of(tokens.next());
    }
}
