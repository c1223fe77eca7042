package org.crabro.content.search.match.text;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.crabro.config.schema.MatchMode;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.protocol.query.QueryNode;
import org.crabro.text.FoldedText;

/** A rule by which tokens match a word of a query without being equal to it. Immutable. */
public sealed interface WordRule permits StemRule, WordRule.Regex, WordRule.Fuzzy {
    /**
     * Returns a matcher for one word.
     *
     * @param word the word in the query, in UTF-8
     * @param work counts the cost of long tokens
     */
    TokenMatcher test(byte[] word, WorkMeter work);

    /**
     * Returns the word of a node that matches tokens by such a rule; empty for other nodes.
     *
     * @param mode the mode by which the compared tokens are created
     */
    static Optional<TextPattern.Word> word(QueryNode node, MatchMode mode) {
        return switch (node) {
            case QueryNode.Regex(_, var expression, _) ->
                    Optional.of(
                            new TextPattern.Word(
                                    expression,
                                    MatchMode.Affix.WHOLE,
                                    Optional.of(new Regex(mode.cased()))));
            case QueryNode.Fuzzy fuzzy ->
                    Optional.of(
                            new TextPattern.Word(
                                    FoldedText.of(
                                            LevenshteinMatcher.checked(fuzzy).text(),
                                            mode.analysis()),
                                    MatchMode.Affix.WHOLE,
                                    Optional.of(
                                            new Fuzzy(
                                                    fuzzy.maxEdits(),
                                                    fuzzy.prefixLength(),
                                                    fuzzy.prefix()))));
            default -> Optional.empty();
        };
    }

    /** The word is a regular expression that matches a part of the token. */
    record Regex(boolean cased) implements WordRule {
        @Override
        public TokenMatcher test(byte[] word, WorkMeter work) {
            return new RegexMatcher(new String(word, StandardCharsets.UTF_8), cased, work);
        }
    }

    /**
     * The token is within a number of edits of the word.
     *
     * @param prefixLength how many code points at the beginning must be equal
     * @param prefix whether only the beginning of a token is compared
     */
    record Fuzzy(int maxEdits, int prefixLength, boolean prefix) implements WordRule {
        @Override
        public TokenMatcher test(byte[] word, WorkMeter work) {
            return new LevenshteinMatcher(
                    new TextPredicate.OfFuzzy(
                            new String(word, StandardCharsets.UTF_8),
                            maxEdits,
                            prefixLength,
                            prefix,
                            true,
                            Integer.MAX_VALUE),
                    work);
        }
    }

    /** Applies a regular expression to tokens. */
    final class RegexMatcher implements TokenMatcher {
        private static final byte[] ANYTHING = {};

        private final DecodedText text;
        private final Matcher matcher;

        public RegexMatcher(String expression, boolean cased, WorkMeter work) {
            Pattern pattern = Regexes.of(expression, cased);
            this.text = new DecodedText(work, pattern.programSize());
            this.matcher = pattern.matcher(text);
        }

        @Override
        public byte[] beginning() {
            return ANYTHING;
        }

        @Override
        public boolean fits(byte[] token, int length) {
            text.set(token, length);
            // The matcher reads the same text object with new characters, so no memory is
            // allocated.
            matcher.reset();
            return matcher.find();
        }
    }
}
