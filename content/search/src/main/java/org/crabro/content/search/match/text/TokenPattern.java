package org.crabro.content.search.match.text;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.crabro.config.schema.MatchMode.Affix;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.text.Tokenizer;
import org.jspecify.annotations.Nullable;

/**
 * A pattern in the form for the search in the tokens of a block. Immutable.
 *
 * <p>A text without separators that occurs in an element always occurs within one of its words,
 * because folding never turns a separator into a word character. {@code FoldingTest} checks this.
 */
public final class TokenPattern {
    /** The kind of search. */
    public enum Kind {
        /** Consecutive words. */
        WORDS,
        /** A part of a word. Each occurrence within a word counts. */
        WITHIN_WORD,
        /** Grams that all occur in one element. */
        PARTS,
        /** Grams. At least one of them occurs. */
        ANY_PART,
        /** A pattern that cannot be found in tokens. */
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
            case TextPattern.Grams(List<TextPattern.Word> parts, var how) ->
                    switch (how) {
                        case ALL -> new TokenPattern(Kind.PARTS, parts);
                        case ANY, WEAK_AND -> new TokenPattern(Kind.ANY_PART, parts);
                        // A token may have several grams, whose places its number does not tell.
                        case PHRASE, NEAR, ORDERED_NEAR -> new TokenPattern(Kind.TEXT, List.of());
                    };
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

    /** Returns a matcher for other forms of a word, for one thread; null if there are none. */
    public @Nullable TokenMatcher forms(int word, WorkMeter work) {
        WordRule rule = forms[word];
        return rule == null ? null : rule.test(words[word], work);
    }

    /** Returns which part of a word must be equal. */
    public Affix affix(int word) {
        return affixes[word];
    }
}
