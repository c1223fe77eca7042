package org.crabro.content.match.text;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.crabro.config.schema.MatchMode.Affix;
import org.crabro.content.query.WorkMeter;
import org.crabro.text.Tokenizer;
import org.jspecify.annotations.Nullable;

/**
 * A pattern as it is looked for among the tokens of a block. Immutable.
 *
 * <p>A text without separators that may stand anywhere in an element stands in one of its words,
 * since folding makes no separator a word character: {@code FoldingTest} holds it to that.
 */
public final class TokenPattern {
    /** What is to be looked for where. */
    public enum Kind {
        /** Words that follow one another. */
        WORDS,
        /** Part of a word, to be counted as often as it stands in it. */
        WITHIN_WORD,
        /** Parts of words that all stand in one element. */
        PARTS,
        /** Something that tokens do not tell. */
        TEXT
    }

    private final Kind kind;
    private final byte[][] words;
    private final Affix[] affixes;
    private final @Nullable WordRule[] forms;

    private TokenPattern(Kind kind, List<TextPattern.Word> words) {
        this.kind = kind;
        int count = words.size();
        this.words = new byte[count][];
        this.affixes = new Affix[count];
        this.forms = new @Nullable WordRule[count];
        for (int i = 0; i < count; i++) {
            TextPattern.Word word = words.get(i);
            this.words[i] = word.text().getBytes(StandardCharsets.UTF_8);
            this.affixes[i] = word.affix();
            this.forms[i] = word.forms().orElse(null);
        }
    }

    static TokenPattern of(TextPattern pattern) {
        return switch (pattern) {
            case TextPattern.Tokens(List<TextPattern.Word> words) ->
                    new TokenPattern(Kind.WORDS, words);
            case TextPattern.Grams(List<TextPattern.Word> parts) ->
                    new TokenPattern(Kind.PARTS, parts);
            case TextPattern.Within(String text) when isPartOfWord(text) ->
                    new TokenPattern(
                            Kind.WITHIN_WORD, List.of(new TextPattern.Word(text, Affix.SUBSTRING)));
            case TextPattern.Within _, TextPattern.Whole _ ->
                    new TokenPattern(Kind.TEXT, List.of());
        };
    }

    private static boolean isPartOfWord(String text) {
        return text.codePoints().allMatch(Tokenizer::isWordCharacter);
    }

    public Kind kind() {
        return kind;
    }

    public byte[][] words() {
        return words;
    }

    /** Returns what tells forms of a word from other words, for one thread. */
    public @Nullable TokenMatcher forms(int word, WorkMeter work) {
        WordRule rule = forms[word];
        return rule == null ? null : rule.test(words[word], work);
    }

    /** Returns how much of a word must be equal. */
    public Affix affix(int word) {
        return affixes[word];
    }
}
