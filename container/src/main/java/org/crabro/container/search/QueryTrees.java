package org.crabro.container.search;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.crabro.protocol.query.QueryNode;

/** Walks over query trees. */
final class QueryTrees {
    private QueryTrees() {}

    /** Calls {@code visitor} with every node, parents first. */
    static void forEach(QueryNode node, Consumer<QueryNode> visitor) {
        visitor.accept(node);
        for (QueryNode child : children(node)) {
            forEach(child, visitor);
        }
    }

    private static List<QueryNode> children(QueryNode node) {
        return switch (node) {
            case QueryNode.And(var children) -> children;
            case QueryNode.Or(var children) -> children;
            case QueryNode.WeakAnd(var children) -> children;
            case QueryNode.Without(var include, var exclude) ->
                    Stream.concat(Stream.of(include), exclude.stream()).toList();
            case QueryNode.Rank(var required, var others) ->
                    Stream.concat(Stream.of(required), others.stream()).toList();
            case QueryNode.Near near ->
                    Stream.concat(near.near().stream(), near.exclude().stream()).toList();
            case QueryNode.Equiv(var alternatives) -> alternatives;
            case QueryNode.All _, QueryNode.None _, QueryNode.FieldCondition _ -> List.of();
        };
    }
}
