package org.crabro.container.query;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.crabro.protocol.query.GramMatch;
import org.crabro.protocol.query.QueryNode;

/**
 * Reads how the grams of a word must occur, in fields that are matched by grams, and sets it in
 * each word of a query. Phrases keep theirs: their grams follow each other. So do the words of
 * {@code near} and {@code onear}, whose positions count words.
 */
final class GramReader {
    private final GramMatch match;

    /**
     * @throws IllegalQueryException if the value is unknown
     */
    GramReader(Parameters parameters) {
        match =
                parameters
                        .text(Parameter.GRAM_MATCH)
                        .filter(text -> !text.isBlank())
                        .map(text ->
                                Parameter.GRAM_MATCH.read(
                                        text,
                                        "all, any, phrase, weakAnd, near or onear",
                                        GramReader::named))
                        .orElse(GramMatch.ALL);
    }

    private static Optional<GramMatch> named(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "all" -> Optional.of(GramMatch.ALL);
            case "any" -> Optional.of(GramMatch.ANY);
            case "phrase" -> Optional.of(GramMatch.PHRASE);
            case "weakand" -> Optional.of(GramMatch.WEAK_AND);
            case "near" -> Optional.of(GramMatch.NEAR);
            case "onear" -> Optional.of(GramMatch.ORDERED_NEAR);
            default -> Optional.empty();
        };
    }

    /** Returns a tree whose words have the match of grams of the request. */
    QueryNode applied(QueryNode tree) {
        return match == GramMatch.ALL ? tree : in(tree);
    }

    private QueryNode in(QueryNode node) {
        return switch (node) {
            case QueryNode.And(var children) -> new QueryNode.And(in(children));
            case QueryNode.Or(var children) -> new QueryNode.Or(in(children));
            case QueryNode.WeakAnd(var children) -> new QueryNode.WeakAnd(in(children));
            case QueryNode.Without(var include, var exclude) ->
                    new QueryNode.Without(in(include), in(exclude));
            case QueryNode.Rank(var required, var others) ->
                    new QueryNode.Rank(in(required), in(others));
            case QueryNode.Equiv(var alternatives) -> new QueryNode.Equiv(in(alternatives));
            case QueryNode.SameElement(var field, var conditions, var elements) ->
                    new QueryNode.SameElement(field, in(conditions), elements);
            case QueryNode.Term(var field, var text, var settings) ->
                    new QueryNode.Term(field, text, settings.with(match));
            case QueryNode.All _, QueryNode.None _, QueryNode.FieldCondition _ -> node;
        };
    }

    private List<QueryNode> in(List<QueryNode> nodes) {
        return nodes.stream().map(this::in).toList();
    }
}
