package org.crabro.protocol.query;

import java.util.List;
import java.util.OptionalDouble;

/**
 * A node of the tree that says which documents match.
 *
 * <p>Nodes are immutable values: a rewrite builds a new tree and shares what it keeps. They hold no
 * parent, no scores and no results. To add a kind of node, add a record here; the compiler then
 * lists every {@code switch} that has to learn of it.
 */
public sealed interface QueryNode {
    /** Matches every document in scope. */
    record All() implements QueryNode {}

    /** Matches nothing. */
    record None() implements QueryNode {}

    /** Matches where every child does. */
    record And(List<QueryNode> children) implements QueryNode {
        public And {
            children = List.copyOf(children);
        }
    }

    /** Matches where at least one child does. */
    record Or(List<QueryNode> children) implements QueryNode {
        public Or {
            children = List.copyOf(children);
        }
    }

    /** Matches where at least one child does; meant for scored words of a user. */
    record WeakAnd(List<QueryNode> children) implements QueryNode {
        public WeakAnd {
            children = List.copyOf(children);
        }
    }

    /** Matches where {@code include} does and no one of {@code exclude} does. */
    record Without(QueryNode include, List<QueryNode> exclude) implements QueryNode {
        public Without {
            exclude = List.copyOf(exclude);
        }
    }

    /** Matches where {@code required} does; {@code others} only add to the score. */
    record Rank(QueryNode required, List<QueryNode> others) implements QueryNode {
        public Rank {
            others = List.copyOf(others);
        }
    }

    /**
     * Matches documents with {@code text} in {@code field}, after the field's own normalising. Text
     * that a field cuts into several tokens matches where they follow one another.
     *
     * @param field a field or a fieldset
     * @param text as the user wrote it
     */
    record Term(String field, String text, TermSettings settings) implements QueryNode {}

    /** Matches where the words follow one another in one element of {@code field}. */
    record Phrase(String field, List<String> words, TermSettings settings) implements QueryNode {
        public Phrase {
            words = List.copyOf(words);
        }
    }

    /** Matches numbers between two ends, also those in arrays. */
    record Range(String field, RangeEnd low, RangeEnd high, TermSettings settings)
            implements QueryNode {}

    /** Matches booleans. */
    record BooleanEquals(String field, boolean value, TermSettings settings) implements QueryNode {}

    /**
     * Matches the {@code targetHits} documents whose {@code field} is nearest to the query's tensor
     * among those that pass the other conditions of the enclosing {@link And}.
     *
     * @param input the query input that holds the tensor: {@code q} of {@code query(q)}
     * @param targetHits at least 1
     * @param distanceThreshold documents farther away do not match
     * @param label by which features name this node; empty for none
     */
    record NearestNeighbor(
            String field,
            String input,
            int targetHits,
            OptionalDouble distanceThreshold,
            String label)
            implements QueryNode {}
}
