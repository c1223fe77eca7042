package org.crabro.content.match;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.MatchMode.Affix;
import org.crabro.protocol.query.TermSettings;
import org.crabro.text.Tokenizer;

/** Collects what a query looks for in the texts of one field, equal patterns once. */
final class TextPatterns {
    private final int scanned;
    private final int field;
    private final String name;
    private final MatchMode mode;
    private final Map<TextPattern, Integer> patterns = new LinkedHashMap<>();

    /**
     * @param scanned which of the query's text scans this becomes
     * @param field by {@link QueryFields}
     */
    TextPatterns(int scanned, int field, String name, MatchMode mode) {
        this.scanned = scanned;
        this.field = field;
        this.name = name;
        this.mode = mode;
    }

    /** Returns the condition that {@code words}, as a user wrote them, stand in the field. */
    Filter filter(List<String> words, TermSettings.Affix asked) {
        return pattern(words, asked, mode, name)
                .<Filter>map(this::sought)
                .orElseGet(Filter.Nothing::new);
    }

    TextScan scan() {
        return new TextScan(field, name, mode, List.copyOf(patterns.keySet()));
    }

    /**
     * Returns what {@code words}, as a user wrote them, come to in texts that are matched by {@code
     * mode}; nothing where no character of them belongs to a word.
     *
     * @param name of the field, for errors
     */
    static Optional<TextPattern> pattern(
            List<String> words, TermSettings.Affix asked, MatchMode mode, String name) {
        Affix affix =
                switch (asked) {
                    case FIELD -> mode.affix();
                    case PREFIX -> Affix.PREFIX;
                    case SUFFIX -> Affix.SUFFIX;
                    case SUBSTRING -> Affix.SUBSTRING;
                };
        String text = String.join(" ", words);
        String folded = mode.folding().of(text);
        return switch (mode.unit()) {
            case VALUE ->
                    folded.isEmpty()
                            ? Optional.empty()
                            : Optional.of(new TextPattern.Whole(folded, affix));
            case TOKEN ->
                    affix != Affix.SUBSTRING
                            ? tokens(words, affix, mode, name)
                            : folded.isEmpty()
                                    ? Optional.empty()
                                    : Optional.of(new TextPattern.Within(folded));
        };
    }

    private static Optional<TextPattern> tokens(
            List<String> words, Affix affix, MatchMode mode, String name) {
        List<String> tokens = words.stream().flatMap(word -> tokens(word, mode).stream()).toList();
        if (tokens.isEmpty()) {
            return Optional.empty();
        }
        if (tokens.size() > TextScan.PHRASE_LENGTH_MAX) {
            throw new QueryRejectedException(
                    "a phrase of %d words in field '%s': at most %d are possible"
                            .formatted(tokens.size(), name, TextScan.PHRASE_LENGTH_MAX));
        }
        // Of several tokens only the outermost can be cut off.
        var wanted = new ArrayList<TextPattern.Word>();
        for (int i = 0; i < tokens.size(); i++) {
            boolean open =
                    switch (affix) {
                        case PREFIX -> i == tokens.size() - 1;
                        case SUFFIX -> i == 0;
                        case WHOLE, SUBSTRING -> false;
                    };
            wanted.add(new TextPattern.Word(tokens.get(i), open ? affix : Affix.WHOLE));
        }
        return Optional.of(new TextPattern.Tokens(wanted));
    }

    private static List<String> tokens(String word, MatchMode mode) {
        byte[] utf8 = word.getBytes(StandardCharsets.UTF_8);
        var tokenizer = new Tokenizer(mode.folding());
        tokenizer.set(utf8, 0, utf8.length);
        var tokens = new ArrayList<String>();
        while (tokenizer.next()) {
            tokens.add(
                    new String(tokenizer.buffer(), 0, tokenizer.length(), StandardCharsets.UTF_8));
        }
        return tokens;
    }

    private Filter sought(TextPattern pattern) {
        Integer known = patterns.putIfAbsent(pattern, patterns.size());
        int number = known == null ? patterns.size() - 1 : known;
        return new Filter.Text(scanned, number, name + ":" + shown(pattern));
    }

    private static String shown(TextPattern pattern) {
        return switch (pattern) {
            case TextPattern.Tokens(var words) ->
                    String.join(" ", words.stream().map(TextPatterns::shown).toList());
            case TextPattern.Within(var text) -> "*" + text + "*";
            case TextPattern.Whole(var text, var affix) -> "=" + shown(text, affix);
        };
    }

    private static String shown(TextPattern.Word word) {
        return shown(word.text(), word.affix());
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
