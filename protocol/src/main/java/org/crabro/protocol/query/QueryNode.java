package org.crabro.protocol.query;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A node of the tree of conditions on documents.
 *
 * <p>Nodes are immutable values: a rewrite builds a new tree and shares unchanged subtrees. They
 * contain no parent, no scores and no results. To add a kind of node, add a record here, in the
 * group whose description fits it; the compiler then lists every {@code switch} that must handle
 * it.
 */
public sealed interface QueryNode {
    /** Combines conditions, which can be on different fields. */
    sealed interface Combination extends QueryNode {}

    /** A condition on one field. */
    sealed interface FieldCondition extends QueryNode {
        /** Returns the name of the field or of the fieldset. */
        String field();
    }

    /** A condition that is compared with each value of its field. */
    sealed interface Leaf extends FieldCondition {}

    /** A condition that consists of words of the user. */
    sealed interface Words extends Leaf {}

    /** Matches every document in scope. */
    record All() implements QueryNode {}

    /** Matches no document. */
    record None() implements QueryNode {}

    /** Matches documents that all children match. */
    record And(List<QueryNode> children) implements Combination {
        public And {
            children = List.copyOf(children);
        }
    }

    /** Matches documents that at least one child matches. */
    record Or(List<QueryNode> children) implements Combination {
        public Or {
            children = List.copyOf(children);
        }
    }

    /** Matches documents that at least one child matches; intended for scored words of a user. */
    record WeakAnd(List<QueryNode> children) implements Combination {
        public WeakAnd {
            children = List.copyOf(children);
        }
    }

    /** Matches documents that {@code include} matches and none of {@code exclude} matches. */
    record Without(QueryNode include, List<QueryNode> exclude) implements Combination {
        public Without {
            exclude = List.copyOf(exclude);
        }
    }

    /** Matches documents that {@code required} matches; {@code others} only add to the score. */
    record Rank(QueryNode required, List<QueryNode> others) implements Combination {
        public Rank {
            others = List.copyOf(others);
        }
    }

    /**
     * Matches documents with {@code text} in {@code field}, after the field's normalization. A text
     * of several tokens matches consecutive tokens.
     *
     * @param field a field or a fieldset, or {@link #DOCUMENT_TYPE}
     * @param text as the user wrote it
     */
    record Term(String field, String text, TermSettings settings) implements Words {
        /** The field name for the document type. No field can have this name. */
        public static final String DOCUMENT_TYPE = "sddocname";
    }

    /** Matches documents with consecutive {@code words} in one element of {@code field}. */
    record Phrase(String field, List<String> words, TermSettings settings) implements Words {
        public Phrase {
            words = List.copyOf(words);
        }
    }

    /**
     * Matches numbers between two ends, including those in arrays. A single number also matches
     * texts that contain it as a word.
     */
    record Range(String field, RangeEnd low, RangeEnd high, TermSettings settings) implements Leaf {
        /** Returns the only number of the range as a word; empty if there are several. */
        public Optional<String> word() {
            if (!low.equals(high)) {
                return Optional.empty();
            }
            return switch (low) {
                case RangeEnd.Whole(var value, var included) when included ->
                        Optional.of(Long.toString(value));
                case RangeEnd.Real(var value, var included)
                        when included && Double.isFinite(value) ->
                        Optional.of(BigDecimal.valueOf(value).toPlainString());
                case RangeEnd.Whole _, RangeEnd.Real _, RangeEnd.Unbounded _ -> Optional.empty();
            };
        }
    }

    /** Matches booleans. */
    record BooleanEquals(String field, boolean value, TermSettings settings) implements Leaf {}

    /**
     * Matches a regular expression against a part of an element in its original form. Case is
     * ignored unless the field is case-sensitive.
     *
     * @param expression in the syntax of RE2
     */
    record Regex(String field, String expression, TermSettings settings) implements Leaf {}

    /**
     * Matches elements within a number of edits of {@code text}. An edit inserts, removes or
     * replaces a character.
     *
     * @param maxEdits the maximum number of edits
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
            implements Leaf {}

    /**
     * Matches if all of {@code near} occur in one element, within {@code distance} words from the
     * first to the last, and none of {@code exclude} occurs close to them.
     *
     * @param near words, phrases and alternatives; at least one
     * @param distance the largest difference of positions
     * @param exclusionDistance the least distance of an excluded word from the others
     * @param ordered whether the words must occur in this order
     */
    record Near(
            String field,
            List<QueryNode> near,
            List<QueryNode> exclude,
            int distance,
            int exclusionDistance,
            boolean ordered)
            implements Leaf {
        public Near {
            near = List.copyOf(near);
            exclude = List.copyOf(exclude);
        }
    }

    /** Matches documents that one of {@code alternatives} matches. They count as one term. */
    record Equiv(List<QueryNode> alternatives) implements QueryNode {
        public Equiv {
            alternatives = List.copyOf(alternatives);
        }
    }

    /**
     * Matches documents with one element of {@code field} that fulfils all {@code conditions}.
     *
     * @param conditions their fields are parts of an element; empty for the element itself
     * @param elements the permitted indices of the element; empty permits all
     */
    record SameElement(String field, List<QueryNode> conditions, List<Integer> elements)
            implements FieldCondition {
        public SameElement {
            conditions = List.copyOf(conditions);
            elements = List.copyOf(elements);
        }
    }

    /**
     * Matches if a value, or a word of it, is one of {@code keys}.
     *
     * @param kind how matches are counted
     * @param threshold if above 0, the sum of weights must exceed it
     */
    record AnyOf(
            String field,
            Kind kind,
            List<WeightedKey> keys,
            double threshold,
            TermSettings settings)
            implements Leaf {
        public AnyOf {
            keys = List.copyOf(keys);
        }

        /** How matches of keys are counted. */
        public enum Kind {
            /** As one term of which features see only whether it matches. */
            IN,
            /** As a term with the weights of its keys. */
            WEIGHTED_SET,
            /** By the sum of key weight times element weight. */
            DOT_PRODUCT
        }
    }

    /** A value as text, and its weight. */
    record WeightedKey(String key, int weight) {}

    /**
     * Matches locations within {@code radius} of a center.
     *
     * @param latitude degrees north
     * @param longitude degrees east
     * @param radius degrees of latitude; negative for no limit
     */
    record GeoCircle(
            String field, double latitude, double longitude, double radius, TermSettings settings)
            implements Leaf {}

    /** Matches locations between two corners, in degrees, edges included. */
    record GeoBox(
            String field,
            double south,
            double west,
            double north,
            double east,
            TermSettings settings)
            implements Leaf {}

    /**
     * Matches predicates that are true for these attributes.
     *
     * @param values attributes with texts; the same attribute may have several
     * @param numbers attributes with numbers
     */
    record Predicate(
            String field,
            List<AttributeValue> values,
            List<AttributeNumber> numbers,
            TermSettings settings)
            implements Leaf {
        public Predicate {
            values = List.copyOf(values);
            numbers = List.copyOf(numbers);
        }
    }

    /** An attribute of a {@link Predicate} and its value. */
    record AttributeValue(String name, String value) {}

    /** An attribute of a {@link Predicate} and its number. */
    record AttributeNumber(String name, long number) {}

    /**
     * Matches the {@code targetHits} documents whose {@code field} is nearest to the query's
     * tensor, among those that fulfil the other conditions of the enclosing {@link And}.
     *
     * @param input the name of the query input with the tensor: {@code q} of {@code query(q)}
     * @param targetHits at least 1
     * @param distanceThreshold documents farther away do not match
     * @param exploration how graphs of neighbors are used, where there are any
     */
    record NearestNeighbor(
            String field,
            String input,
            int targetHits,
            OptionalDouble distanceThreshold,
            Exploration exploration,
            TermSettings settings)
            implements FieldCondition {
        /** A search that uses graphs, and explores no additional hits. */
        public NearestNeighbor(
                String field,
                String input,
                int targetHits,
                OptionalDouble distanceThreshold,
                TermSettings settings) {
            this(field, input, targetHits, distanceThreshold, Exploration.DEFAULT, settings);
        }
    }

    /**
     * How a {@link NearestNeighbor} uses graphs of neighbors.
     *
     * @param approximate whether it uses them
     * @param additionalHits how many hits it explores in addition to the target, at least 0
     */
    record Exploration(boolean approximate, int additionalHits) {
        /** The exploration of a search without such annotations. */
        public static final Exploration DEFAULT = new Exploration(true, 0);
    }
}
