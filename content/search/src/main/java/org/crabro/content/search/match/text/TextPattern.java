package org.crabro.content.search.match.text;

import java.util.List;
import java.util.Optional;
import org.crabro.config.schema.MatchMode.Affix;
import org.crabro.protocol.query.GramMatch;

/** A pattern in the texts of one field: one word or phrase of a query. */
public sealed interface TextPattern {
    /**
     * Consecutive tokens in one element.
     *
     * @param words at least 1
     */
    record Tokens(List<Word> words) implements TextPattern {
        public Tokens {
            words = List.copyOf(words);
        }
    }

    /**
     * One token.
     *
     * @param text folded as the field's tokens, or in the form that a rule requires; not empty
     * @param affix which part of a token must be equal
     * @param forms the rule by which other tokens match too
     */
    record Word(String text, Affix affix, Optional<WordRule> forms) {
        /** A token without other forms. */
        public Word(String text, Affix affix) {
            this(text, affix, Optional.empty());
        }

        /** Returns whether this is a whole word that is matched as written or by its stem. */
        boolean isWritten() {
            return affix == Affix.WHOLE
                    && forms.filter(rule -> !(rule instanceof StemRule)).isEmpty();
        }

        /** Returns whether only equal tokens match. */
        boolean isExact() {
            return affix == Affix.WHOLE && forms.isEmpty();
        }
    }

    /**
     * Grams of words, in one element.
     *
     * @param parts at least 1: parts of tokens, and whole tokens that are shorter than a gram. If
     *     positions decide, they are in the order of the query, and a gram can occur repeatedly.
     * @param how how they must occur
     */
    record Grams(List<Word> parts, GramMatch how) implements TextPattern {
        public Grams {
            parts = List.copyOf(parts);
        }
    }

    /**
     * A text that occurs at any position of an element, separators included.
     *
     * @param text folded as the field's elements; not empty
     */
    record Within(String text) implements TextPattern {}

    /**
     * A whole element.
     *
     * @param text in lower case, or as written in a cased field; not empty
     * @param affix which part of an element must be equal
     */
    record Whole(String text, Affix affix) implements TextPattern {}
}
