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
     * The text between two blanks: one unit of the query.
     *
     * @param parts at least one; several if the text contains separators. All must match
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
        return nodes(items.stream().filter(item -> item.sign == sign).toList());
    }

    private static List<QueryNode> nodes(List<Item> items) {
        return items.stream().map(Item::node).toList();
    }

    /**
     * Returns one item that matches if any alternative matches, and then the excluded items of all
     * alternatives.
     *
     * @param alternatives the items before, between and after the words {@code OR}
     */
    static List<Item> joined(List<List<Item>> alternatives, Grammar.Composite composite) {
        var nodes = new ArrayList<QueryNode>();
        var items = new ArrayList<Item>();
        for (List<Item> alternative : alternatives) {
            List<Item> include =
                    alternative.stream().filter(item -> item.sign != Sign.MINUS).toList();
            composed(include, composite).ifPresent(nodes::add);
            alternative.stream().filter(item -> item.sign == Sign.MINUS).forEach(items::add);
        }
        composed(nodes, QueryNode.Or::new).map(Item::of).ifPresent(item -> items.addFirst(item));
        return items;
    }

    /** Returns the tree of all items; empty if there are none. */
    static Optional<QueryNode> composed(List<Item> items, Grammar.Composite composite) {
        List<QueryNode> exclude = nodes(items, Sign.MINUS);
        List<Item> include = items.stream().filter(item -> item.sign != Sign.MINUS).toList();
        Optional<QueryNode> operand =
                switch (composite) {
                    case WEAK_AND -> weak(nodes(include));
                    case AND, PHRASE -> composed(parts(include), QueryNode.And::new);
                    case OR -> alternatives(include);
                    case NEAR -> near(parts(include), false);
                    case ORDERED_NEAR -> near(parts(include), true);
                };
        return exclude.isEmpty()
                ? operand
                : Optional.of(
                        new QueryNode.Without(operand.orElseGet(QueryNode.All::new), exclude));
    }

    /**
     * Words are alternatives, and a condition on the document type beside them restricts which
     * documents they find. Several types are alternatives.
     */
    private static Optional<QueryNode> weak(List<QueryNode> nodes) {
        List<QueryNode> types = nodes.stream().filter(SimpleQueryItems::isOfType).toList();
        List<QueryNode> words = nodes.stream().filter(node -> !isOfType(node)).toList();
        if (types.isEmpty() || words.isEmpty()) {
            return composed(nodes, QueryNode.WeakAnd::new);
        }
        var conditions = new ArrayList<QueryNode>();
        composed(types, QueryNode.Or::new).ifPresent(conditions::add);
        composed(words, QueryNode.WeakAnd::new).ifPresent(conditions::add);
        return composed(conditions, QueryNode.And::new);
    }

    /** If an item has a plus, only those with one must match; the others add to the score. */
    private static Optional<QueryNode> alternatives(List<Item> items) {
        List<Item> required = items.stream().filter(item -> item.sign == Sign.PLUS).toList();
        if (required.isEmpty()) {
            return composed(nodes(items), QueryNode.Or::new);
        }
        List<QueryNode> others = nodes(items, Sign.NONE);
        return composed(parts(required), QueryNode.And::new)
                .map(node -> others.isEmpty() ? node : new QueryNode.Rank(node, others));
    }

    /**
     * Only words of one field can be near each other; otherwise all parts must match. Conditions on
     * the document type are beside the words, because they have no place in a text.
     */
    private static Optional<QueryNode> near(List<QueryNode> parts, boolean ordered) {
        List<QueryNode> types = parts.stream().filter(SimpleQueryItems::isOfType).toList();
        if (!types.isEmpty()) {
            var conditions = new ArrayList<QueryNode>(types);
            List<QueryNode> words = parts.stream().filter(part -> !isOfType(part)).toList();
            near(words, ordered).ifPresent(conditions::add);
            return composed(conditions, QueryNode.And::new);
        }
        Set<String> fields = new HashSet<>();
        boolean areWords = true;
        for (QueryNode part : parts) {
            switch (part) {
                case QueryNode.Term(var field, _, _) -> fields.add(field);
                case QueryNode.Phrase(var field, _, _) -> fields.add(field);
                default -> areWords = false;
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

    private static boolean isOfType(QueryNode node) {
        return node instanceof QueryNode.Term(var field, _, _)
                && field.equals(QueryNode.Term.DOCUMENT_TYPE);
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

    /** Returns the condition that words follow each other directly. */
    static List<QueryNode> consecutive(String field, List<QueryNode> words) {
        if (words.size() < 2) {
            return words;
        }
        var texts = new ArrayList<String>();
        TermSettings settings = TermSettings.DEFAULT;
        for (QueryNode word : words) {
            if (word instanceof QueryNode.Term(_, var text, var own)
                    && own.affix() == TermSettings.Affix.FIELD) {
                texts.add(text);
                settings = own;
            }
        }
        return List.of(
                texts.size() == words.size()
                        ? new QueryNode.Phrase(field, texts, settings)
                        : new QueryNode.Near(field, words, List.of(), words.size() - 1, 0, true));
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
