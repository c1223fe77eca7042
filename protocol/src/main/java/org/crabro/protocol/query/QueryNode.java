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
     * @param field a field or a fieldset, or {@link #DOCUMENT_TYPE}
     * @param text as the user wrote it
     */
    record Term(String field, String text, TermSettings settings) implements QueryNode {
        /** What stands for the document type: no field can be called so. */
        public static final String DOCUMENT_TYPE = "sddocname";
    }

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
     * Matches where a regular expression fits a part of an element, as it was fed; case counts only
     * in fields where it does.
     *
     * @param expression in the syntax of RE2
     */
    record Regex(String field, String expression, TermSettings settings) implements QueryNode {}

    /**
     * Matches elements that differ from {@code text} by few edits: a character more, less, or
     * another.
     *
     * @param maxEdits how many there may be
     * @param prefixLength how many characters at the beginning must be equal
     * @param prefix whether only the beginning of an element is compared
     */
    record Fuzzy(
            String field,
            String text,
            int maxEdits,
            int prefixLength,
            boolean prefix,
            TermSettings settings)
            implements QueryNode {}

    /**
     * Matches where all of {@code near} stand in one element, at most {@code distance} words from
     * the first to the last, and none of {@code exclude} stands close to them.
     *
     * @param near words, phrases and alternatives; at least one
     * @param distance the largest difference of positions
     * @param exclusionDistance how far from the words the excluded ones must be
     * @param ordered whether they must come in this order
     */
    record Near(
            String field,
            List<QueryNode> near,
            List<QueryNode> exclude,
            int distance,
            int exclusionDistance,
            boolean ordered)
            implements QueryNode {
        public Near {
            near = List.copyOf(near);
            exclude = List.copyOf(exclude);
        }
    }

    /** Matches where one of {@code alternatives} does, which count as one term. */
    record Equiv(List<QueryNode> alternatives) implements QueryNode {
        public Equiv {
            alternatives = List.copyOf(alternatives);
        }
    }

    /**
     * Matches where all {@code conditions} hold in one and the same element of {@code field}.
     *
     * @param conditions their fields are parts of an element; empty for an element itself
     * @param elements the indices that elements may have; empty for any
     */
    record SameElement(String field, List<QueryNode> conditions, List<Integer> elements)
            implements QueryNode {
        public SameElement {
            conditions = List.copyOf(conditions);
            elements = List.copyOf(elements);
        }
    }

    /**
     * Matches where a value, or a word, is one of {@code keys}.
     *
     * @param kind what a match comes to
     * @param threshold the sum of weights must be larger than this where it is more than 0
     */
    record AnyOf(
            String field,
            Kind kind,
            List<WeightedKey> keys,
            double threshold,
            TermSettings settings)
            implements QueryNode {
        public AnyOf {
            keys = List.copyOf(keys);
        }

        /** What a match comes to. */
        public enum Kind {
            /** A term of which features see no more than whether it matches. */
            IN,
            /** A term with the weights of its keys. */
            WEIGHTED_SET,
            /** The sum of the weights of keys by those of elements. */
            DOT_PRODUCT
        }
    }

    /** A value, as text, and its weight. */
    record WeightedKey(String key, int weight) {}

    /**
     * Matches places not farther away than {@code radius} from one.
     *
     * @param latitude degrees north
     * @param longitude degrees east
     * @param radius degrees of latitude; below 0 for any distance
     */
    record GeoCircle(
            String field, double latitude, double longitude, double radius, TermSettings settings)
            implements QueryNode {}

    /** Matches places between two corners, in degrees, edges included. */
    record GeoBox(
            String field,
            double south,
            double west,
            double north,
            double east,
            TermSettings settings)
            implements QueryNode {}

    /**
     * Matches the {@code targetHits} documents whose {@code field} is nearest to the query's tensor
     * among those that pass the other conditions of the enclosing {@link And}.
     *
     * @param input the query input that holds the tensor: {@code q} of {@code query(q)}
     * @param targetHits at least 1
     * @param distanceThreshold documents farther away do not match
     */
    record NearestNeighbor(
            String field,
            String input,
            int targetHits,
            OptionalDouble distanceThreshold,
            TermSettings settings)
            implements QueryNode {}
}
