package org.crabro.container.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.crabro.config.rules.RuleWords;
import org.crabro.container.rules.RuleTree.Item.Group;
import org.crabro.container.rules.RuleTree.Item.Leaf;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.TermSettings;

/**
 * A query tree whose nodes have ids, by which changes name them. Immutable: a change returns
 * another tree, in which all other nodes have the same ids.
 *
 * <p>Only {@link RuleOperator}s have parts. All other operators are leaves, whose words rules do
 * not see.
 *
 * @param root empty if all nodes were removed
 * @param nextId larger than all ids; the id of the next node that a change adds
 * @param together the operator between words that are added to a single one
 */
record RuleTree(Optional<Item> root, int nextId, RuleOperator together) {
    /** A node. */
    sealed interface Item {
        int id();

        /** A node without parts. */
        record Leaf(int id, QueryNode node) implements Item {}

        /**
         * An operator.
         *
         * @param parts at least one
         */
        record Group(int id, RuleOperator operator, List<Item> parts) implements Item {
            public Group {
                parts = List.copyOf(parts);
            }
        }
    }

    /** Returns the tree of {@code node}. */
    static RuleTree of(QueryNode node, RuleOperator together) {
        var ids = new int[1];
        Item root = item(node, () -> ids[0]++);
        return new RuleTree(Optional.of(root), ids[0], together);
    }

    private static Item item(QueryNode node, IntSupplier ids) {
        return switch (node) {
            case QueryNode.And(var parts) -> group(RuleOperator.AND, parts, ids);
            case QueryNode.Or(var parts) -> group(RuleOperator.OR, parts, ids);
            case QueryNode.WeakAnd(var parts) -> group(RuleOperator.WEAK_AND, parts, ids);
            case QueryNode.Without(var include, var exclude) ->
                    group(RuleOperator.WITHOUT, with(include, exclude), ids);
            case QueryNode.Rank(var required, var others) ->
                    group(RuleOperator.RANK, with(required, others), ids);
            case QueryNode.All _, QueryNode.None _, QueryNode.Equiv _, QueryNode.FieldCondition _ ->
                    new Leaf(ids.getAsInt(), node);
        };
    }

    /** An operator without parts has no place for words. */
    private static Item group(RuleOperator operator, List<QueryNode> parts, IntSupplier ids) {
        return parts.isEmpty()
                ? new Leaf(ids.getAsInt(), operator.of(parts))
                : new Group(
                        ids.getAsInt(),
                        operator,
                        parts.stream().map(each -> item(each, ids)).toList());
    }

    private static List<QueryNode> with(QueryNode first, List<QueryNode> others) {
        return Stream.concat(Stream.of(first), others.stream()).toList();
    }

    /** Returns the query; empty if nothing is left. */
    Optional<QueryNode> node() {
        return root.map(RuleTree::node);
    }

    private static QueryNode node(Item item) {
        return switch (item) {
            case Leaf(_, var node) -> node;
            case Group(_, var operator, var parts) ->
                    operator.of(parts.stream().map(RuleTree::node).toList());
        };
    }

    /** Returns the number of leaves. */
    int size() {
        return root.map(RuleTree::size).orElse(0);
    }

    private static int size(Item item) {
        return switch (item) {
            case Leaf _ -> 1;
            case Group(_, _, var parts) -> parts.stream().mapToInt(RuleTree::size).sum();
        };
    }

    /** Returns the words and phrases in the order of the query, except those that only filter. */
    List<RuleFact> facts(RuleWords words) {
        var facts = new ArrayList<RuleFact>();
        root.ifPresent(item -> addFacts(item, words, new int[1], facts));
        return facts;
    }

    private static void addFacts(Item item, RuleWords words, int[] zone, List<RuleFact> facts) {
        switch (item) {
            case Group(_, var operator, var parts) -> {
                for (int i = 0; i < parts.size(); i++) {
                    zone[0] += i > 0 && operator.hasMain() ? 1 : 0;
                    addFacts(parts.get(i), words, zone, facts);
                }
                zone[0] += operator.hasMain() ? 1 : 0;
            }
            case Leaf(var id, QueryNode.Term term) when isSeen(term.field(), term.settings()) ->
                    facts.add(new RuleFact(id, zone[0], term, words.keys(term.text())));
            case Leaf(var id, QueryNode.Phrase phrase)
                    when isSeen(phrase.field(), phrase.settings()) ->
                    facts.add(
                            new RuleFact(
                                    id,
                                    zone[0],
                                    phrase,
                                    words.keys(String.join(" ", phrase.words()))));
            case Leaf _ -> zone[0]++;
        }
    }

    private static boolean isSeen(String field, TermSettings settings) {
        return settings.affix() == TermSettings.Affix.FIELD
                && !settings.hints().filter()
                && !field.equals(QueryNode.Term.DOCUMENT_TYPE);
    }

    /** Returns the tree with {@code node} next to the node {@code id}, in its operator. */
    RuleTree beside(int id, boolean after, QueryNode node) {
        var added = new Leaf(nextId, node);
        Item changed =
                root.map(item ->
                                item.id() == id
                                        ? pair(together, item, added, after)
                                        : beside(item, id, added, after))
                        .orElse(added);
        return new RuleTree(Optional.of(changed), nextId + 2, together);
    }

    private Item beside(Item item, int id, Leaf added, boolean after) {
        if (!(item instanceof Group(var own, var operator, var parts))) {
            return item;
        }
        var changed = new ArrayList<Item>();
        for (Item part : parts) {
            if (part.id() != id) {
                changed.add(beside(part, id, added, after));
            } else if (operator.hasMain() && changed.isEmpty()) {
                changed.add(pair(together, part, added, after));
            } else if (operator == RuleOperator.WITHOUT) {
                changed.add(pair(RuleOperator.AND, part, added, after));
            } else {
                changed.add(after ? part : added);
                changed.add(after ? added : part);
            }
        }
        return new Group(own, operator, changed);
    }

    /** The id of the new operator follows that of the added node. */
    private static Item pair(RuleOperator operator, Item item, Leaf added, boolean after) {
        return new Group(
                added.id() + 1, operator, after ? List.of(item, added) : List.of(added, item));
    }

    /**
     * Returns the tree in which {@code operator} joins {@code node} with the operator around the
     * node {@code id}.
     */
    RuleTree joined(int id, RuleOperator operator, QueryNode node) {
        var added = new Leaf(nextId, node);
        Item changed =
                root.map(item ->
                                item.id() == id
                                        ? pair(operator, item, added, true)
                                        : joined(item, id, operator, added))
                        .orElse(added);
        return new RuleTree(Optional.of(changed), nextId + 2, together);
    }

    private static Item joined(Item item, int id, RuleOperator operator, Leaf added) {
        if (!(item instanceof Group(var own, var around, var parts))) {
            return item;
        }
        for (int i = 0; i < parts.size(); i++) {
            if (parts.get(i).id() != id) {
                continue;
            }
            if (around == operator) {
                var more = new ArrayList<>(parts);
                more.add(added);
                return new Group(own, around, more);
            }
            boolean isInside =
                    around.hasMain()
                            && !operator.hasMain()
                            && (i == 0 || operator == RuleOperator.OR);
            if (!isInside) {
                return pair(operator, item, added, true);
            }
            var changed = new ArrayList<>(parts);
            changed.set(i, pair(operator, parts.get(i), added, true));
            return new Group(own, around, changed);
        }
        return new Group(
                own,
                around,
                parts.stream().map(part -> joined(part, id, operator, added)).toList());
    }

    /**
     * Returns the tree without some nodes. An operator without what must match is removed, except
     * if it excludes something.
     */
    RuleTree without(Set<Integer> ids) {
        return new RuleTree(root.flatMap(item -> without(item, ids, nextId)), nextId + 1, together);
    }

    private static Optional<Item> without(Item item, Set<Integer> ids, int idOfAll) {
        if (ids.contains(item.id())) {
            return Optional.empty();
        }
        if (!(item instanceof Group(var own, var operator, var parts))) {
            return Optional.of(item);
        }
        var remaining = new ArrayList<Item>();
        for (Item part : parts) {
            Optional<Item> left = without(part, ids, idOfAll);
            left.ifPresent(remaining::add);
            boolean isMain =
                    remaining.isEmpty() && operator.hasMain() && part.id() == parts.getFirst().id();
            if (isMain && operator == RuleOperator.RANK) {
                return Optional.empty();
            }
            if (isMain) {
                remaining.add(new Leaf(idOfAll, new QueryNode.All()));
            }
        }
        if (remaining.size() > 1) {
            return Optional.of(new Group(own, operator, remaining));
        }
        return remaining.stream().filter(each -> each.id() != idOfAll).findFirst();
    }
}
