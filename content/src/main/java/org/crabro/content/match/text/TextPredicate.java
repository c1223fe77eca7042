package org.crabro.content.match.text;

import com.google.re2j.Pattern;
import java.util.List;
import org.crabro.config.schema.MatchMode;

/** What a {@link TextMatcher} looks for in one text after another. Immutable. */
public sealed interface TextPredicate {
    /** A word, a phrase, or a part of a text. */
    record OfPattern(MatchMode mode, TextPattern pattern) implements TextPredicate {}

    /**
     * A part of the text that a regular expression fits.
     *
     * @param maxLength how many bytes of a text are looked at
     */
    record OfRegex(Pattern expression, int maxLength) implements TextPredicate {}

    /**
     * A text that is like {@code text}.
     *
     * @param text in lower case unless {@code cased}
     * @param prefixLength how many code points at the beginning must be equal
     * @param prefix whether only the beginning of a text is compared
     * @param maxLength how many bytes of a text are looked at
     */
    record OfFuzzy(
            String text,
            int maxEdits,
            int prefixLength,
            boolean prefix,
            boolean cased,
            int maxLength)
            implements TextPredicate {}

    /** Words close to each other. */
    record OfNear(
            MatchMode mode,
            List<NearItem> items,
            List<NearItem> exclude,
            int distance,
            int exclusionDistance,
            boolean ordered)
            implements TextPredicate {
        public OfNear {
            items = List.copyOf(items);
            exclude = List.copyOf(exclude);
        }
    }

    /** One of some texts, or of a text that is cut into words, a word that is one of them. */
    record OfKeys(MatchMode mode, TextKeys keys) implements TextPredicate {}

    /**
     * What stands at one place of those near each other.
     *
     * @param alternatives words that follow one another
     */
    record NearItem(List<List<TextPattern.Word>> alternatives) {
        public NearItem {
            alternatives = alternatives.stream().map(List::copyOf).toList();
        }
    }
}
