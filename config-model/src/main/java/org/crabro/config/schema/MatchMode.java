package org.crabro.config.schema;

import org.crabro.text.Folding;
import org.crabro.text.SpecialTokens;
import org.crabro.text.TextAnalysis;
import org.crabro.text.Tokenizer;
import org.crabro.text.WordAnalysis;

/**
 * How text of a field is matched.
 *
 * @param rules which differences between texts count
 * @param stemming which forms of a word match each other; only of tokens that are folded
 * @param gramSize the length of the character grams that find words, or 0 for whole words
 * @param maxLength the number of bytes of an element that are searched
 */
public record MatchMode(
        Unit unit, Affix affix, TextRules rules, Stemming stemming, int gramSize, int maxLength) {
    /** The upper limit of {@code maxLength}, in bytes. */
    public static final int LENGTH_MAX = Tokenizer.TEXT_LENGTH_MAX;

    /** The default for strings of {@code index} fields. */
    public static final MatchMode TEXT = new MatchMode(Unit.TOKEN, Affix.WHOLE, false);

    /** The default for strings of fields with {@code attribute} alone. */
    public static final MatchMode WORD = new MatchMode(Unit.VALUE, Affix.WHOLE, false);

    public MatchMode {
        if (gramSize < 0 || maxLength < 1 || maxLength > LENGTH_MAX) {
            throw new IllegalArgumentException("grams of " + gramSize + ", length " + maxLength);
        }
    }

    /** Words, or whole values, as they are written. */
    public MatchMode(Unit unit, Affix affix, boolean cased) {
        this(unit, affix, TextRules.USUAL.cased(cased), Stemming.NONE, 0, LENGTH_MAX);
    }

    /** Returns whether upper and lower case differ; then nothing is folded. */
    public boolean cased() {
        return rules.cased();
    }

    /** Returns this mode with other rules for the words of texts; whole values have none. */
    MatchMode with(boolean normalized, SpecialTokens special) {
        return unit == Unit.VALUE
                ? this
                : new MatchMode(
                        unit,
                        affix,
                        new TextRules(rules.cased(), rules.accented(), normalized, special),
                        stemming,
                        gramSize,
                        maxLength);
    }

    /** Returns this mode for words whose accents count. */
    public MatchMode withAccents() {
        return new MatchMode(unit, affix, rules.withAccents(), stemming, gramSize, maxLength);
    }

    /** Returns this with other forms of words. */
    public MatchMode with(Stemming forms) {
        return new MatchMode(unit, affix, rules, forms, gramSize, maxLength);
    }

    /** Returns this mode with at most {@code bytes} of each element searched. */
    public MatchMode upTo(int bytes) {
        return new MatchMode(unit, affix, rules, stemming, gramSize, Math.min(bytes, LENGTH_MAX));
    }

    /** Returns this mode for words that are found by grams of {@code characters}. */
    public MatchMode byGrams(int characters) {
        return new MatchMode(unit, affix, rules, Stemming.NONE, characters, maxLength);
    }

    /** Returns this mode for words at positions of a text, without grams. */
    public MatchMode byWords() {
        Stemming forms = unit == Unit.TOKEN ? stemming : Stemming.NONE;
        return new MatchMode(Unit.TOKEN, affix, rules, forms, 0, maxLength);
    }

    /** The unit that a query word is compared with. */
    public enum Unit {
        /** Tokens, folded unless the mode is cased. */
        TOKEN,
        /** The whole value, in lower case unless the mode is cased. */
        VALUE
    }

    /** How much of the unit must be equal. */
    public enum Affix {
        WHOLE,
        PREFIX,
        SUFFIX,
        SUBSTRING
    }

    /**
     * Returns how texts of the field, and words of queries, are folded before they are compared.
     */
    public Folding folding() {
        if (cased()) {
            return Folding.NONE;
        }
        return switch (unit) {
            case TOKEN -> rules.accented() ? Folding.CASE : Folding.ACCENTS;
            case VALUE -> Folding.CASE;
        };
    }

    /** Returns how texts of the field, and words of queries, are analysed. */
    public TextAnalysis analysis() {
        boolean isPlain = !rules.normalized() && rules.special().isEmpty();
        return isPlain
                ? folding()
                : new WordAnalysis(folding(), rules.normalized(), rules.special());
    }
}
