package org.crabro.content.match.text;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.crabro.config.schema.MatchMode;
import org.crabro.content.query.WorkMeter;
import org.crabro.protocol.query.QueryNode;

/** By which rule tokens count as a word of a query that they do not equal. Immutable. */
public sealed interface WordRule permits StemRule, WordRule.Regex, WordRule.Fuzzy {
    /**
     * Returns what applies the rule.
     *
     * @param word what the query has, in UTF-8
     * @param work counts what long tokens cost
     */
    TokenMatcher test(byte[] word, WorkMeter work);

    /**
     * Returns the word that a node is, where it asks for tokens by such a rule.
     *
     * @param mode by which the tokens are made that are compared
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
                                    mode.folding().of(LevenshteinMatcher.checked(fuzzy).text()),
                                    MatchMode.Affix.WHOLE,
                                    Optional.of(
                                            new Fuzzy(
                                                    fuzzy.maxEdits(),
                                                    fuzzy.prefixLength(),
                                                    fuzzy.prefix()))));
            case QueryNode.All _,
                    QueryNode.None _,
                    QueryNode.And _,
                    QueryNode.Or _,
                    QueryNode.WeakAnd _,
                    QueryNode.Without _,
                    QueryNode.Rank _,
                    QueryNode.Term _,
                    QueryNode.Phrase _,
                    QueryNode.Range _,
                    QueryNode.BooleanEquals _,
                    QueryNode.Near _,
                    QueryNode.Equiv _,
                    QueryNode.SameElement _,
                    QueryNode.AnyOf _,
                    QueryNode.GeoCircle _,
                    QueryNode.GeoBox _,
                    QueryNode.NearestNeighbor _ ->
                    Optional.empty();
        };
    }

    /** The word is a regular expression that fits a part of the token. */
    record Regex(boolean cased) implements WordRule {
        @Override
        public TokenMatcher test(byte[] word, WorkMeter work) {
            return new RegexMatcher(new String(word, StandardCharsets.UTF_8), cased, work);
        }
    }

    /**
     * The token differs from the word by few edits.
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

    /** Applies a regular expression to one token after another. */
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
            // It holds the same text, which has other characters now: nothing is made for them.
            matcher.reset();
            return matcher.find();
        }
    }
}
