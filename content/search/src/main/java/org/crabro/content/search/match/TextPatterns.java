package org.crabro.content.search.match;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.MatchMode.Affix;
import org.crabro.content.search.match.text.StemRule;
import org.crabro.content.search.match.text.TextPattern;
import org.crabro.content.search.match.text.TextScan;
import org.crabro.content.search.match.text.WordRule;
import org.crabro.content.search.query.QueryFields;
import org.crabro.content.search.query.QueryRejectedException;
import org.crabro.protocol.query.GramMatch;
import org.crabro.protocol.query.TermSettings;
import org.crabro.text.FoldedText;
import org.crabro.text.Folding;
import org.crabro.text.Tokenizer;

/**
 * Collects the patterns that a query searches in the texts of one field. Equal patterns are stored
 * once. {@link #pattern} applies the match mode of the field to words of the query.
 */
final class TextPatterns {
    /** The maximum number of grams of one term. */
    private static final int GRAMS_MAX = 1_024;

    private final int scanned;
    private final int field;
    private final String name;
    private final MatchMode mode;
    private final Map<TextPattern, Integer> patterns = new LinkedHashMap<>();

    /**
     * @param scanned the number of the query's text scan
     * @param field by {@link QueryFields}
     */
    TextPatterns(int scanned, int field, String name, MatchMode mode) {
        this.scanned = scanned;
        this.field = field;
        this.name = name;
        this.mode = mode;
    }

    /** Returns the condition that the field contains {@code words}, as a user wrote them. */
    Filter filter(List<String> words, TermSettings settings) {
        return pattern(words, settings, mode, name)
                .<Filter>map(this::searchFilter)
                .orElseGet(Filter.Nothing::new);
    }

    /** Returns the condition that a word of the field fulfils a rule. */
    Filter filter(TextPattern.Word word) {
        return searchFilter(new TextPattern.Tokens(List.of(word)));
    }

    TextScan scan() {
        return new TextScan(field, name, mode, List.copyOf(patterns.keySet()));
    }

    /**
     * Returns the pattern for {@code words}, as a user wrote them, in texts matched by {@code
     * mode}; empty if no character of them belongs to a word.
     *
     * @param name of the field, for errors
     */
    static Optional<TextPattern> pattern(
            List<String> words, TermSettings settings, MatchMode mode, String name) {
        Affix affix =
                switch (settings.affix()) {
                    case FIELD -> mode.affix();
                    // Such a field finds the prefix anywhere in a word.
                    case PREFIX -> mode.affix() == Affix.SUBSTRING ? Affix.SUBSTRING : Affix.PREFIX;
                    case SUFFIX -> Affix.SUFFIX;
                    case SUBSTRING -> Affix.SUBSTRING;
                };
        return pattern(words, settings, affix, mode, name);
    }

    /**
     * Returns the pattern as the other overload does, if {@code affix} of a token or value must be
     * equal.
     */
    static Optional<TextPattern> pattern(
            List<String> words, TermSettings settings, Affix affix, MatchMode mode, String name) {
        String text = String.join(" ", words);
        String folded = FoldedText.of(text, mode.analysis());
        boolean dropsAccents = settings.hints().words().accentDrop();
        if (!dropsAccents && isAccented(text, mode)) {
            return Optional.empty();
        }
        return switch (mode.unit()) {
            case VALUE ->
                    folded.isEmpty()
                            ? Optional.empty()
                            : Optional.of(new TextPattern.Whole(folded, affix));
            case TOKEN -> {
                if (affix != Affix.SUBSTRING) {
                    List<String> tokens = tokens(words, mode);
                    yield mode.gramSize() > 0 && affix == Affix.WHOLE
                            ? grams(tokens, settings.grams(), mode.gramSize(), name)
                            : tokens(tokens, affix, StemRule.of(mode, settings), name);
                }
                yield folded.isEmpty()
                        ? Optional.empty()
                        : Optional.of(new TextPattern.Within(folded));
            }
        };
    }

    /** Returns whether a text has accents, and the words of the field have none. */
    private static boolean isAccented(String text, MatchMode mode) {
        return mode.folding() == Folding.ACCENTS
                && !FoldedText.of(text, Folding.ACCENTS).equals(FoldedText.of(text, Folding.CASE));
    }

    private static Optional<TextPattern> grams(
            List<String> tokens, GramMatch how, int size, String name) {
        // The same gram is searched once, unless its place decides.
        Collection<TextPattern.Word> parts =
                how.isByPosition() ? new ArrayList<>() : new LinkedHashSet<>();
        for (String token : tokens) {
            for (String gram : grams(token, size)) {
                boolean isPart = gram.codePointCount(0, gram.length()) == size;
                parts.add(new TextPattern.Word(gram, isPart ? Affix.SUBSTRING : Affix.WHOLE));
            }
        }
        if (parts.size() > GRAMS_MAX) {
            throw new QueryRejectedException(
                    "%d grams of words in field '%s': at most %d are possible"
                            .formatted(parts.size(), name, GRAMS_MAX));
        }
        return parts.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new TextPattern.Grams(
                                List.copyOf(parts), parts.size() == 1 ? GramMatch.ALL : how));
    }

    /**
     * Returns the grams of {@code size} characters of a word, one starting at each character. A
     * shorter word is returned as its only gram.
     */
    static List<String> grams(String word, int size) {
        var grams = new ArrayList<String>();
        int last = word.codePointCount(0, word.length()) - size;
        int from = 0;
        for (int i = 0; i <= last; i++) {
            grams.add(word.substring(from, word.offsetByCodePoints(from, size)));
            from = word.offsetByCodePoints(from, 1);
        }
        return grams.isEmpty() ? List.of(word) : grams;
    }

    private static Optional<TextPattern> tokens(
            List<String> tokens, Affix affix, Optional<WordRule> forms, String name) {
        if (tokens.isEmpty()) {
            return Optional.empty();
        }
        if (tokens.size() > TextScan.PHRASE_LENGTH_MAX) {
            throw new QueryRejectedException(
                    "a phrase of %d words in field '%s': at most %d are possible"
                            .formatted(tokens.size(), name, TextScan.PHRASE_LENGTH_MAX));
        }
        if (tokens.size() == 1 && affix == Affix.WHOLE && Tokenizer.isRun(tokens.getFirst())) {
            return Optional.of(new TextPattern.Within(tokens.getFirst()));
        }
        // Of several tokens, only the first and the last may be matched partially.
        var wanted = new ArrayList<TextPattern.Word>();
        for (int i = 0; i < tokens.size(); i++) {
            Affix open = open(tokens, i, affix);
            wanted.add(
                    open == Affix.WHOLE
                            ? new TextPattern.Word(tokens.get(i), Affix.WHOLE, forms)
                            : new TextPattern.Word(tokens.get(i), open));
        }
        return Optional.of(new TextPattern.Tokens(wanted));
    }

    /**
     * Returns how a token must match. A {@link Tokenizer#isRun run} at either end may be part of a
     * longer run in the text.
     */
    private static Affix open(List<String> tokens, int index, Affix affix) {
        boolean isFirst = index == 0;
        boolean isLast = index == tokens.size() - 1;
        return switch (affix) {
            case PREFIX -> isLast ? affix : Affix.WHOLE;
            case SUFFIX -> isFirst ? affix : Affix.WHOLE;
            case WHOLE, SUBSTRING -> {
                if ((!isFirst && !isLast) || !Tokenizer.isRun(tokens.get(index))) {
                    yield Affix.WHOLE;
                }
                yield isFirst ? Affix.SUFFIX : Affix.PREFIX;
            }
        };
    }

    private static List<String> tokens(List<String> words, MatchMode mode) {
        var tokenizer = new Tokenizer(mode.analysis());
        var tokens = new ArrayList<String>();
        for (String word : words) {
            byte[] utf8 = word.getBytes(StandardCharsets.UTF_8);
            tokenizer.set(utf8, 0, utf8.length);
            while (tokenizer.next()) {
                tokens.add(
                        new String(
                                tokenizer.buffer(), 0, tokenizer.length(), StandardCharsets.UTF_8));
            }
        }
        return tokens;
    }

    private Filter searchFilter(TextPattern pattern) {
        Integer existing = patterns.putIfAbsent(pattern, patterns.size());
        int number = existing == null ? patterns.size() - 1 : existing;
        return new Filter.Text(scanned, number, name + ":" + shown(pattern));
    }

    /** Returns a pattern as text, for traces and plans. */
    static String shown(TextPattern pattern) {
        return switch (pattern) {
            case TextPattern.Tokens(var words) -> shown(words, " ");
            case TextPattern.Within(var text) -> "*" + text + "*";
            case TextPattern.Grams(var parts, var how) ->
                    switch (how) {
                        case ALL -> shown(parts, "&");
                        case ANY, WEAK_AND -> shown(parts, "|");
                        case PHRASE -> shown(parts, " ");
                        case NEAR -> "near(" + shown(parts, " ") + ")";
                        case ORDERED_NEAR -> "onear(" + shown(parts, " ") + ")";
                    };
            case TextPattern.Whole(var text, var affix) -> "=" + shown(text, affix);
        };
    }

    private static String shown(List<TextPattern.Word> words, String between) {
        var shown = new StringBuilder(shown(words.getFirst()));
        for (TextPattern.Word word : words.subList(1, words.size())) {
            shown.append(between).append(shown(word));
        }
        return shown.toString();
    }

    private static String shown(TextPattern.Word word) {
        return word.forms().isPresent() ? "~" + word.text() : shown(word.text(), word.affix());
    }

    private static String shown(String text, Affix affix) {
        return switch (affix) {
            case WHOLE -> text;
            case PREFIX -> text + "*";
            case SUFFIX -> "*" + text;
            case SUBSTRING -> "*" + text + "*";
        };
    }
}
