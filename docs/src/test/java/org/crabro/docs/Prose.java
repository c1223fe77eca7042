package org.crabro.docs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a page reads: the length of its sentences, and words of an idiom that is not plain English.
 * Sentences are those of paragraphs and lists. The idiom is counted in tables and headings too, and
 * nothing is counted in code.
 *
 * @param sentences of paragraphs and lists, with code as one word
 * @param idioms each time one occurs
 */
record Prose(List<String> sentences, List<String> idioms) {
    private static final double AVERAGE_MAX = 20;
    private static final int LONGEST_MAX = 40;
    private static final int IDIOMS_MAX = 2;

    private static final Pattern IDIOM =
            Pattern.compile("\\b(is told|whoever|nobody|stands|lies|behind|beside)\\b");
    private static final Pattern CODE = Pattern.compile("``.+?``|`[^`]+`");
    private static final Pattern LINK = Pattern.compile("!?\\[([^\\]]*)\\]\\([^)]*\\)");
    private static final Pattern ITEM = Pattern.compile("^\\s*([-*+]|\\d+\\.)\\s+");

    /** A sentence ends before white space: 0.5 and a.b are words. */
    private static final Pattern SENTENCE_END = Pattern.compile("(?<=[.!?])[)\"*_]*\\s+");

    static Prose of(String page) {
        var sentences = new ArrayList<String>();
        var idioms = new ArrayList<String>();
        var paragraph = new StringBuilder();
        boolean isCode = false;
        for (String line : page.lines().toList()) {
            if (line.stripLeading().startsWith("```")) {
                isCode = !isCode;
                end(paragraph, sentences);
                continue;
            }
            if (isCode || line.stripLeading().startsWith("<")) {
                continue;
            }
            String plain = LINK.matcher(CODE.matcher(line).replaceAll("code")).replaceAll("$1");
            Matcher idiom = IDIOM.matcher(plain.toLowerCase(Locale.ROOT));
            while (idiom.find()) {
                idioms.add(idiom.group());
            }
            boolean isProse = !plain.startsWith("#") && !plain.stripLeading().startsWith("|");
            if (plain.isBlank() || !isProse || ITEM.matcher(plain).find()) {
                end(paragraph, sentences);
            }
            if (isProse) {
                paragraph.append(ITEM.matcher(plain).replaceFirst("")).append(' ');
            }
        }
        end(paragraph, sentences);
        return new Prose(sentences, idioms);
    }

    private static void end(StringBuilder paragraph, List<String> sentences) {
        SENTENCE_END
                .splitAsStream(paragraph)
                .map(String::strip)
                .filter(sentence -> !sentence.isEmpty())
                .forEach(sentences::add);
        paragraph.setLength(0);
    }

    private static int words(String sentence) {
        return (int)
                Arrays.stream(sentence.split("\\s+"))
                        .filter(word -> word.chars().anyMatch(Character::isLetterOrDigit))
                        .count();
    }

    /** Returns words per sentence, 0 where there is no sentence. */
    double average() {
        return sentences.stream().mapToInt(Prose::words).average().orElse(0);
    }

    /** Returns the words of the longest sentence, 0 where there is none. */
    int longest() {
        return sentences.stream().mapToInt(Prose::words).max().orElse(0);
    }

    private boolean isPlain() {
        return average() <= AVERAGE_MAX && longest() <= LONGEST_MAX && idioms.size() <= IDIOMS_MAX;
    }

    /** Returns a line for each page that is not in plain English. */
    static List<String> findings(SourceTree tree) {
        var findings = new ArrayList<String>();
        for (String path : pages(tree)) {
            Prose prose = of(tree.text(path));
            if (!prose.isPlain()) {
                findings.add(
                        "%s: %.1f words a sentence on average, at most %.0f; longest %d, at most %d: '%s'; idioms %s, at most %d"
                                .formatted(
                                        path,
                                        prose.average(),
                                        AVERAGE_MAX,
                                        prose.longest(),
                                        LONGEST_MAX,
                                        prose.longestSentence(),
                                        prose.idioms,
                                        IDIOMS_MAX));
            }
        }
        return findings;
    }

    private String longestSentence() {
        int longest = longest();
        return sentences.stream()
                .filter(sentence -> words(sentence) == longest)
                .findFirst()
                .orElse("");
    }

    /** Returns a line per page. */
    static String table(SourceTree tree) {
        var table = new StringBuilder("words a sentence: average  longest  idioms%n".formatted());
        for (String path : pages(tree)) {
            Prose prose = of(tree.text(path));
            table.append(
                    "%25.1f %8d %7d  %s%n"
                            .formatted(
                                    prose.average(), prose.longest(), prose.idioms.size(), path));
        }
        return table.toString();
    }

    private static List<String> pages(SourceTree tree) {
        return tree.texts().keySet().stream()
                .filter(path -> path.endsWith(".md") && !path.contains("/src/"))
                .toList();
    }
}
