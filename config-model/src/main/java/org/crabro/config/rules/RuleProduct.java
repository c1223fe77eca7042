package org.crabro.config.rules;

import java.util.List;

/** What a rule produces if it matches. */
public sealed interface RuleProduct {
    /**
     * Words of the query.
     *
     * @param type how the words are added
     * @param label the field to search; empty for that of matched words, or for the default
     * @param weight in percent
     */
    record Words(Type type, String label, Produced produced, int weight) implements RuleProduct {}

    /** A parameter of the request gets a value. */
    record Setting(String name, String value) implements RuleProduct {}

    /** The relation of added words to the words around them. */
    enum Type {
        /** Beside the words around it. */
        SAME,
        OR,
        EQUIV,
        AND,
        /** It only adds to the score. */
        RANK,
        /** It excludes. */
        NOT
    }

    /** The produced words. */
    sealed interface Produced {
        /** A word as written. */
        record Word(String text) implements Produced {}

        /** Consecutive words. */
        record Phrase(List<String> words) implements Produced {
            public Phrase {
                words = List.copyOf(words);
            }
        }

        /** The words that the part {@code name} of the condition has matched. */
        record Matched(String name) implements Produced {}

        /** All words that the named condition {@code name} can match. */
        record Everything(String name) implements Produced {}
    }
}
