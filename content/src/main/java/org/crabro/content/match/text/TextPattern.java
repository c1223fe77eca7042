package org.crabro.content.match.text;

import java.util.List;
import java.util.Optional;
import org.crabro.config.schema.MatchMode.Affix;

/** What is looked for in the texts of one field: one word or phrase of a query. */
public sealed interface TextPattern {
    /**
     * Tokens that follow one another in one element.
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
     * @param text as the field's tokens are folded, or what a rule makes of it; not empty
     * @param affix how much of a token must be equal
     * @param forms which other tokens count as this one
     */
    record Word(String text, Affix affix, Optional<WordRule> forms) {
        /** A token of which there are no other forms. */
        public Word(String text, Affix affix) {
            this(text, affix, Optional.empty());
        }

        /** Returns whether it is a whole word, which others may be forms of. */
        boolean isWritten() {
            return affix == Affix.WHOLE
                    && forms.filter(rule -> !(rule instanceof StemRule)).isEmpty();
        }

        /** Returns whether only equal tokens fit. */
        boolean isExact() {
            return affix == Affix.WHOLE && forms.isEmpty();
        }
    }

    /**
     * Parts of words that all stand in one element, wherever.
     *
     * @param parts at least 1: parts of tokens, and whole tokens that are shorter than parts are
     */
    record Grams(List<Word> parts) implements TextPattern {
        public Grams {
            parts = List.copyOf(parts);
        }
    }

    /**
     * Text that stands anywhere in an element, separators included.
     *
     * @param text as the field's elements are folded; not empty
     */
    record Within(String text) implements TextPattern {}

    /**
     * A whole element.
     *
     * @param text in lower case, or as it is in a cased field; not empty
     * @param affix how much of an element must be equal
     */
    record Whole(String text, Affix affix) implements TextPattern {}
}
