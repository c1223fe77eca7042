package org.crabro.content.search.match.text;

import com.google.re2j.Pattern;
import java.util.List;
import org.crabro.config.schema.MatchMode;
import org.crabro.protocol.query.QueryNode;

/** A condition on a text, evaluated by a {@link TextMatcher}. Immutable. */
public sealed interface TextPredicate {
    /** A word, a phrase, or a part of a text. */
    record OfPattern(MatchMode mode, TextPattern pattern) implements TextPredicate {}

    /**
     * A regular expression that matches a part of the text.
     *
     * @param maxLength the number of bytes of a text that are searched
     */
    record OfRegex(Pattern expression, int maxLength) implements TextPredicate {}

    /**
     * A text within a number of edits of {@code text}.
     *
     * @param text in lower case unless {@code cased}
     * @param prefixLength how many code points at the beginning must be equal
     * @param prefix whether only the beginning of a text is compared
     * @param maxLength the number of bytes of a text that are compared
     */
    record OfFuzzy(
            String text,
            int maxEdits,
            int prefixLength,
            boolean prefix,
            boolean cased,
            int maxLength)
            implements TextPredicate {}

    /** Words near each other. */
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

    /** The text is one of several keys. In a field matched by words, one of its words is a key. */
    record OfKeys(MatchMode mode, TextKeys keys) implements TextPredicate {}

    /** The text is a predicate that is true for the attributes of the query. */
    record OfPredicate(
            List<QueryNode.AttributeValue> values, List<QueryNode.AttributeNumber> numbers)
            implements TextPredicate {
        public OfPredicate {
            values = List.copyOf(values);
            numbers = List.copyOf(numbers);
        }
    }

    /**
     * An item of words near each other.
     *
     * @param alternatives each a sequence of consecutive words
     */
    record NearItem(List<List<TextPattern.Word>> alternatives) {
        public NearItem {
            alternatives = alternatives.stream().map(List::copyOf).toList();
        }
    }
}
