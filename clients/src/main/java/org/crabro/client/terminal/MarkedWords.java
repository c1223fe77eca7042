package org.crabro.client.terminal;

import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Help.Ansi;
import tools.jackson.databind.JsonNode;

/**
 * The words of a search, to show the parts of texts that have them. A word of a text is marked if
 * it begins with one of them, in any case. The server may have marked others, because it knows
 * their stems.
 */
public final class MarkedWords {
    /** No words. */
    public static final MarkedWords NONE = new MarkedWords(Set.of());

    /** How far from the begin of a text a word may be without the text being cut before it. */
    private static final int NEAR = 40;

    /** How many characters are shown before the first word. */
    private static final int BEFORE = 20;

    private static final int WORDS_MAX = 100;
    private static final String ELLIPSIS = "…";
    private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{M}\\p{N}]+");

    /** Words, names of fields, and excluded words of a search as a person writes it. */
    private static final Pattern TERM =
            Pattern.compile("(?<sign>[-]?)(?:[\\w.]+:)?(?<text>\"[^\"]*\"|[^\\s\"]+)");

    private static final Pattern SERVERS_MARK = Pattern.compile("<hi>(.*?)</hi>", Pattern.DOTALL);
    private static final Pattern SERVERS_TAG = Pattern.compile("</?hi>|<sep />");

    private final Set<String> words;
    private final Pattern pattern;

    private MarkedWords(Collection<String> words) {
        this.words = Set.copyOf(words);
        this.pattern =
                Pattern.compile(
                        words.isEmpty()
                                ? "(?!)"
                                : "(?<![\\p{L}\\p{N}])(?:"
                                        + this.words.stream()
                                                .map(Pattern::quote)
                                                .collect(Collectors.joining("|"))
                                        + ")[\\p{L}\\p{M}\\p{N}]*",
                        Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
    }

    /** Returns the words of a search, without those that it excludes. */
    public static MarkedWords of(String search) {
        Set<String> words = new TreeSet<>();
        Matcher terms = TERM.matcher(search);
        while (terms.find()) {
            if (terms.group("sign").isEmpty()) {
                addWords(terms.group("text"), words);
            }
        }
        return new MarkedWords(words);
    }

    private static void addWords(String text, Set<String> into) {
        Matcher matcher = WORD.matcher(text);
        while (matcher.find() && into.size() < WORDS_MAX) {
            into.add(matcher.group().toLowerCase(Locale.ROOT));
        }
    }

    /** Returns these words and those that the server has marked in the fields of a hit. */
    MarkedWords withServersMarks(JsonNode fields) {
        Set<String> all = new TreeSet<>(words);
        fields.forEach(value -> {
            Matcher marks = SERVERS_MARK.matcher(HitTable.text(value));
            while (marks.find()) {
                addWords(marks.group(1), all);
            }
        });
        return all.size() == words.size() ? this : new MarkedWords(all);
    }

    /** Returns a text without the marks of the server, from shortly before the first word on. */
    String passage(String given) {
        String text =
                given.contains("<")
                        ? SERVERS_TAG
                                .matcher(given)
                                .replaceAll(tag -> tag.group().equals("<sep />") ? ELLIPSIS : "")
                        : given;
        Matcher first = pattern.matcher(text);
        if (words.isEmpty() || !first.find() || first.start() < NEAR) {
            return text;
        }
        int from = text.indexOf(' ', first.start() - BEFORE);
        return ELLIPSIS
                + text.substring(from < 0 || from > first.start() ? first.start() : from + 1);
    }

    /** Returns whether a text has one of the words. */
    boolean isIn(String text) {
        return !words.isEmpty() && pattern.matcher(text).find();
    }

    /** Returns a line with the words in bold. */
    String bold(String line) {
        return pattern.matcher(line)
                .replaceAll(word ->
                        Matcher.quoteReplacement(
                                Ansi.Style.bold.on() + word.group() + Ansi.Style.bold.off()));
    }
}
