package org.crabro.content.match;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
        Affix affix =
                switch (asked) {
                    case FIELD -> mode.affix();
                    case PREFIX -> Affix.PREFIX;
                    case SUFFIX -> Affix.SUFFIX;
                    case SUBSTRING -> Affix.SUBSTRING;
                };
        String text = String.join(" ", words);
        return switch (mode.unit()) {
            case VALUE -> {
                String folded = TextScan.folding(mode).of(text);
                yield folded.isEmpty()
                        ? new Filter.Nothing()
                        : sought(new TextPattern.Whole(folded, affix));
            }
            case TOKEN -> affix == Affix.SUBSTRING ? within(text) : tokens(words, affix);
        };
    }

    TextScan scan() {
        return new TextScan(field, name, mode, List.copyOf(patterns.keySet()));
    }

    private Filter within(String text) {
        String folded = TextScan.folding(mode).of(text);
        return folded.isEmpty() ? new Filter.Nothing() : sought(new TextPattern.Within(folded));
    }

    private Filter tokens(List<String> words, Affix affix) {
        List<String> tokens = words.stream().flatMap(word -> tokens(word).stream()).toList();
        if (tokens.isEmpty()) {
            return new Filter.Nothing();
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
        return sought(new TextPattern.Tokens(wanted));
    }

    private List<String> tokens(String word) {
        byte[] utf8 = word.getBytes(StandardCharsets.UTF_8);
        var tokenizer = new Tokenizer(TextScan.folding(mode));
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
