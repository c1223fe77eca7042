package org.crabro.config.rules;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A condition on consecutive words of a query, from a current word on. */
public sealed interface RuleCondition {
    /** A condition that contains no other conditions. */
    sealed interface Leaf extends RuleCondition {}

    /**
     * The current word.
     *
     * @param key what is compared; see {@link RuleWords}
     */
    record Word(String text, String key) implements Leaf {}

    /** A phrase of the query: words between quotes. */
    record Phrase(List<Word> words) implements Leaf {
        public Phrase {
            words = List.copyOf(words);
        }
    }

    /** A named condition. */
    record Named(String name) implements Leaf {}

    /** The condition of the same name in an included rule base. */
    record Super() implements Leaf {}

    /** All parts, one after the other. */
    record Sequence(List<RuleCondition> parts) implements RuleCondition {
        public Sequence {
            parts = List.copyOf(parts);
        }
    }

    /** The first part that matches. */
    record Choice(List<RuleCondition> parts) implements RuleCondition {
        public Choice {
            parts = List.copyOf(parts);
        }
    }

    /**
     * One of many sequences of words.
     *
     * @param byFirst the sequences by the key of their first word, in the order of the rule base
     */
    record Listed(Map<String, List<List<Word>>> byFirst) implements Leaf {
        public Listed {
            byFirst = Collections.unmodifiableMap(new LinkedHashMap<>(byFirst));
        }

        /** Returns the choice as a list if it is one of sequences of words. */
        static RuleCondition of(List<RuleCondition> parts) {
            var byFirst = new LinkedHashMap<String, List<List<Word>>>();
            for (RuleCondition part : parts) {
                Optional<List<Word>> words = words(part);
                if (words.isEmpty()) {
                    return new Choice(parts);
                }
                byFirst.computeIfAbsent(words.get().getFirst().key, _ -> new ArrayList<>())
                        .add(words.get());
            }
            return new Listed(byFirst);
        }

        private static Optional<List<Word>> words(RuleCondition part) {
            if (part instanceof Word word) {
                return Optional.of(List.of(word));
            }
            if (part instanceof Sequence(var parts)
                    && parts.stream().allMatch(Word.class::isInstance)) {
                return Optional.of(parts.stream().map(Word.class::cast).toList());
            }
            return Optional.empty();
        }
    }

    /** All parts, each from the current word on. */
    record Every(List<RuleCondition> parts) implements RuleCondition {
        public Every {
            parts = List.copyOf(parts);
        }
    }

    /** The part does not match here. */
    record Not(RuleCondition part) implements RuleCondition {}

    /** Both sides match, and their values compare as {@code operator} says. */
    record Compared(RuleCondition left, Operator operator, RuleCondition right)
            implements RuleCondition {}

    /** A value, which matches everywhere. */
    record Literal(String value) implements Leaf {}

    /** Any number of words. */
    record Ellipsis() implements Leaf {
        /** The name of words that an ellipsis matches. */
        public static final String NAME = "...";
    }

    /** The words that {@code part} matches get a name, by which products refer to them. */
    record Bound(String name, RuleCondition part) implements RuleCondition {}

    /** Words of {@code part} without a label of their own have this one: the searched field. */
    record Labeled(String label, RuleCondition part) implements RuleCondition {}

    /** The request has a parameter. Its value is that of the condition. */
    record Parameter(String name) implements Leaf {}

    /** The current word is the first one. */
    record Start() implements Leaf {}

    /** There is no further word. */
    record End() implements Leaf {}

    /** How two values compare. Two numbers compare as numbers, other values as texts. */
    enum Operator {
        EQUAL,
        AT_MOST,
        AT_LEAST,
        LESS,
        MORE,
        CONTAINS;

        /** Returns whether two values compare like this. */
        public boolean holds(String left, String right) {
            int order = compare(left, right);
            return switch (this) {
                case EQUAL -> order == 0;
                case AT_MOST -> order <= 0;
                case AT_LEAST -> order >= 0;
                case LESS -> order < 0;
                case MORE -> order > 0;
                case CONTAINS -> left.contains(right);
            };
        }

        private static int compare(String left, String right) {
            try {
                return Double.compare(Double.parseDouble(left), Double.parseDouble(right));
            } catch (NumberFormatException _) {
                return left.compareTo(right);
            }
        }
    }

    /** Returns the parts of this condition. */
    default List<RuleCondition> children() {
        return switch (this) {
            case Sequence(var parts) -> parts;
            case Choice(var parts) -> parts;
            case Every(var parts) -> parts;
            case Not(var part) -> List.of(part);
            case Compared(var left, _, var right) -> List.of(left, right);
            case Bound(_, var part) -> List.of(part);
            case Labeled(_, var part) -> List.of(part);
            case Leaf _ -> List.of();
        };
    }

    /** Returns this condition with {@code change} applied to each part, and then to itself. */
    default RuleCondition mapped(UnaryOperator<RuleCondition> change) {
        return change.apply(
                switch (this) {
                    case Sequence(var parts) -> new Sequence(mapped(parts, change));
                    case Choice(var parts) -> new Choice(mapped(parts, change));
                    case Every(var parts) -> new Every(mapped(parts, change));
                    case Not(var part) -> new Not(part.mapped(change));
                    case Compared(var left, var operator, var right) ->
                            new Compared(left.mapped(change), operator, right.mapped(change));
                    case Bound(var name, var part) -> new Bound(name, part.mapped(change));
                    case Labeled(var label, var part) -> new Labeled(label, part.mapped(change));
                    case Leaf _ -> this;
                });
    }

    private static List<RuleCondition> mapped(
            List<RuleCondition> parts, UnaryOperator<RuleCondition> change) {
        return parts.stream().map(part -> part.mapped(change)).toList();
    }
}
