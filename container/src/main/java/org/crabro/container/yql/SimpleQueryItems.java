package org.crabro.container.yql;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.TermSettings;

/** Composes the items of a simple query to a tree, by signs and by the composite of the grammar. */
final class SimpleQueryItems {
    private SimpleQueryItems() {}

    /** The sign before an item. */
    enum Sign {
        PLUS,
        MINUS,
        NONE
    }

    /**
     * The text between two blanks.
     *
     * @param parts at least one; several if the text contains separators
     */
    record Item(Sign sign, List<QueryNode> parts) {
        static Item of(QueryNode node) {
            return new Item(Sign.NONE, List.of(node));
        }

        QueryNode node() {
            return parts.size() == 1 ? parts.getFirst() : new QueryNode.And(parts);
        }
    }

    /** Returns the nodes of the items with a sign. */
    static List<QueryNode> nodes(List<Item> items, Sign sign) {
        return items.stream().filter(item -> item.sign == sign).map(Item::node).toList();
    }

    /**
     * Adds an item to the groups. After {@code OR} it joins the last group, unless one of them
     * excludes.
     */
    static void add(List<List<Item>> groups, Item item, boolean alternative) {
        boolean joins =
                alternative
                        && item.sign != Sign.MINUS
                        && groups.getLast().getFirst().sign != Sign.MINUS;
        if (joins) {
            groups.getLast().add(item);
        } else {
            groups.add(new ArrayList<>(List.of(item)));
        }
    }

    /** Returns an item for each group: the disjunction of its items. */
    static List<Item> joined(List<List<Item>> groups) {
        var items = new ArrayList<Item>();
        for (List<Item> group : groups) {
            Item first = group.getFirst();
            items.add(
                    group.size() == 1
                            ? first
                            : new Item(
                                    first.sign,
                                    List.of(
                                            new QueryNode.Or(
                                                    group.stream().map(Item::node).toList()))));
        }
        return items;
    }

    /** Returns the tree of all items; empty if there are none. */
    static Optional<QueryNode> composed(List<Item> items, Grammar.Composite composite) {
        List<QueryNode> exclude =
                items.stream().filter(item -> item.sign == Sign.MINUS).map(Item::node).toList();
        List<Item> include = items.stream().filter(item -> item.sign != Sign.MINUS).toList();
        Optional<QueryNode> kept =
                switch (composite) {
                    case WEAK_AND -> composed(parts(include), QueryNode.WeakAnd::new);
                    case AND, PHRASE -> composed(parts(include), QueryNode.And::new);
                    case OR -> alternatives(include);
                    case NEAR -> near(parts(include), false);
                    case ORDERED_NEAR -> near(parts(include), true);
                };
        return exclude.isEmpty()
                ? kept
                : Optional.of(new QueryNode.Without(kept.orElseGet(QueryNode.All::new), exclude));
    }

    /** If an item has a plus, only those with one must match; the others add to the score. */
    private static Optional<QueryNode> alternatives(List<Item> items) {
        List<Item> required = items.stream().filter(item -> item.sign == Sign.PLUS).toList();
        if (required.isEmpty()) {
            return composed(items.stream().map(Item::node).toList(), QueryNode.Or::new);
        }
        List<QueryNode> others =
                items.stream().filter(item -> item.sign == Sign.NONE).map(Item::node).toList();
        return composed(parts(required), QueryNode.And::new)
                .map(node -> others.isEmpty() ? node : new QueryNode.Rank(node, others));
    }

    /** Only words of one field can be near each other; otherwise all parts must match. */
    private static Optional<QueryNode> near(List<QueryNode> parts, boolean ordered) {
        Set<String> fields = new HashSet<>();
        boolean areWords = true;
        for (QueryNode part : parts) {
            switch (part) {
                case QueryNode.Term(var field, _, _) -> fields.add(field);
                case QueryNode.Phrase(var field, _, _) -> fields.add(field);
                case QueryNode.All _,
                        QueryNode.None _,
                        QueryNode.And _,
                        QueryNode.Or _,
                        QueryNode.WeakAnd _,
                        QueryNode.Without _,
                        QueryNode.Rank _,
                        QueryNode.Range _,
                        QueryNode.BooleanEquals _,
                        QueryNode.Regex _,
                        QueryNode.Fuzzy _,
                        QueryNode.Near _,
                        QueryNode.Equiv _,
                        QueryNode.SameElement _,
                        QueryNode.AnyOf _,
                        QueryNode.GeoCircle _,
                        QueryNode.GeoBox _,
                        QueryNode.NearestNeighbor _ ->
                        areWords = false;
            }
        }
        int distance = Operators.DEFAULT_DISTANCE;
        return areWords && fields.size() == 1 && parts.size() > 1
                ? Optional.of(
                        new QueryNode.Near(
                                fields.iterator().next(),
                                parts,
                                List.of(),
                                distance,
                                (distance + 1) / 2,
                                ordered))
                : composed(parts, QueryNode.And::new);
    }

    private static List<QueryNode> parts(List<Item> items) {
        return items.stream().flatMap(item -> item.parts.stream()).toList();
    }

    private static Optional<QueryNode> composed(
            List<QueryNode> nodes, Function<List<QueryNode>, QueryNode> composite) {
        return switch (nodes.size()) {
            case 0 -> Optional.empty();
            case 1 -> Optional.of(nodes.getFirst());
            default -> Optional.of(composite.apply(nodes));
        };
    }

    /** Returns the phrase of the words; empty if there are none. */
    static Optional<QueryNode> phrase(List<String> words, String field, TermSettings settings) {
        return switch (words.size()) {
            case 0 -> Optional.empty();
            case 1 -> Optional.of(new QueryNode.Term(field, words.getFirst(), settings));
            default -> Optional.of(new QueryNode.Phrase(field, words, settings));
        };
    }
}
