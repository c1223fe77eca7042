package org.crabro.content.search.match;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.lucene.analysis.core.WhitespaceTokenizer;
import org.apache.lucene.analysis.en.KStemFilter;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.Stemming;
import org.crabro.protocol.query.GramMatch;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.TermSettings;
import org.crabro.text.Folding;
import org.crabro.text.Tokenizer;
import org.tartarus.snowball.ext.EnglishStemmer;
import org.tartarus.snowball.ext.GermanStemmer;

/**
 * Searches words in texts as in the specification: with strings, lists, and a test of every
 * position. Slow, and shares no code with the scanner except folding and the definition of word
 * characters.
 */
final class NaiveTexts {
    private static final int FOLDED = Pattern.DOTALL | Pattern.CASE_INSENSITIVE;

    private NaiveTexts() {}

    /** Returns how often a term, or the consecutive words of a phrase, occur in some elements. */
    static int occurrences(
            List<String> words, TermSettings settings, MatchMode mode, List<String> elements) {
        return elements.stream()
                .mapToInt(element -> occurrences(words, settings, mode, cut(element, mode)))
                .sum();
    }

    private static int occurrences(
            List<String> words, TermSettings settings, MatchMode mode, String element) {
        MatchMode.Affix affix = affix(settings, mode);
        if (mode.unit() == MatchMode.Unit.VALUE) {
            String wanted = mode.folding().of(String.join(" ", words));
            String value = mode.folding().of(element);
            if (wanted.isEmpty()) {
                return 0;
            }
            return affix == MatchMode.Affix.SUBSTRING
                    ? places(value, wanted)
                    : isPart(value, wanted, affix) ? 1 : 0;
        }
        if (affix == MatchMode.Affix.SUBSTRING) {
            String wanted = mode.folding().of(String.join(" ", words));
            return wanted.isEmpty() ? 0 : places(mode.folding().of(element), wanted);
        }
        List<String> tokens = tokens(element, mode.folding());
        List<String> wanted =
                words.stream().flatMap(word -> tokens(word, mode.folding()).stream()).toList();
        if (wanted.isEmpty()) {
            return 0;
        }
        if (mode.gramSize() > 0 && affix == MatchMode.Affix.WHOLE) {
            List<String> grams =
                    wanted.stream().flatMap(word -> grams(word, mode.gramSize())).toList();
            return occurrences(grams, settings.grams(), tokens, mode.gramSize());
        }
        if (wanted.size() == 1
                && affix == MatchMode.Affix.WHOLE
                && Tokenizer.isRun(wanted.getFirst())) {
            return places(mode.folding().of(element), wanted.getFirst());
        }
        int count = 0;
        for (int from = 0; from < tokens.size(); from++) {
            count += stands(wanted, affix, settings, mode, tokens, from) ? 1 : 0;
        }
        return count;
    }

    /** Returns whether the words occur consecutively from a position on. */
    private static boolean stands(
            List<String> wanted,
            MatchMode.Affix affix,
            TermSettings settings,
            MatchMode mode,
            List<String> tokens,
            int from) {
        if (from + wanted.size() > tokens.size()) {
            return false;
        }
        for (int i = 0; i < wanted.size(); i++) {
            String token = tokens.get(from + i);
            String word = wanted.get(i);
            boolean isLast = i == wanted.size() - 1;
            boolean isPart =
                    (affix == MatchMode.Affix.PREFIX && isLast)
                            || (affix == MatchMode.Affix.SUFFIX && i == 0);
            boolean isRun =
                    affix == MatchMode.Affix.WHOLE && (isLast || i == 0) && Tokenizer.isRun(word);
            boolean isThere =
                    isRun
                            ? isInRun(token, word, i == 0, isLast)
                            : isPart
                                    ? isPart(token, word, affix)
                                    : isSame(token, word, settings, mode);
            if (!isThere) {
                return false;
            }
        }
        return true;
    }

    /**
     * A run may continue beyond the searched text, at the start of its first token and at the end
     * of its last token.
     */
    private static boolean isInRun(String token, String word, boolean isFirst, boolean isLast) {
        if (isFirst && isLast) {
            return token.contains(word);
        }
        return isFirst ? token.endsWith(word) : token.startsWith(word);
    }

    /** Returns whether the words of a near or onear occur close to each other. */
    static boolean isNear(QueryNode.Near near, MatchMode mode, String whole) {
        List<String> tokens = tokens(cut(whole, mode), mode.folding());
        List<List<Integer>> places =
                near.near().stream().map(item -> places(item, mode, tokens)).toList();
        List<Integer> excluded =
                near.exclude().stream()
                        .flatMap(item -> places(item, mode, tokens).stream())
                        .toList();
        return isNear(near, places, excluded, new ArrayList<>());
    }

    private static boolean isNear(
            QueryNode.Near near,
            List<List<Integer>> places,
            List<Integer> excluded,
            List<Integer> chosen) {
        if (chosen.size() == places.size()) {
            int low = chosen.stream().mapToInt(each -> each).min().orElseThrow();
            int high = chosen.stream().mapToInt(each -> each).max().orElseThrow();
            int free = near.exclusionDistance();
            return high - low <= near.distance()
                    && excluded.stream().noneMatch(at -> at >= low - free && at <= high + free);
        }
        for (int place : places.get(chosen.size())) {
            if (near.ordered() && !chosen.isEmpty() && place <= chosen.getLast()) {
                continue;
            }
            chosen.add(place);
            boolean isMatch = isNear(near, places, excluded, chosen);
            chosen.removeLast();
            if (isMatch) {
                return true;
            }
        }
        return false;
    }

    private static List<Integer> places(QueryNode item, MatchMode mode, List<String> tokens) {
        return switch (item) {
            case QueryNode.Term(_, var text, var settings) ->
                    places(List.of(text), settings, mode, tokens);
            case QueryNode.Phrase(_, var words, var settings) ->
                    places(words, settings, mode, tokens);
            case QueryNode.Regex(_, var expression, _) -> {
                int flags = mode.cased() ? Pattern.DOTALL : FOLDED;
                yield places(tokens, Pattern.compile(expression, flags).asPredicate());
            }
            case QueryNode.Fuzzy fuzzy -> places(tokens, token -> isLike(token, fuzzy, mode));
            default -> throw new IllegalArgumentException(item.toString());
        };
    }

    private static List<Integer> places(List<String> tokens, Predicate<String> fits) {
        return IntStream.range(0, tokens.size())
                .filter(i -> fits.test(tokens.get(i)))
                .boxed()
                .toList();
    }

    private static boolean isLike(String token, QueryNode.Fuzzy fuzzy, MatchMode mode) {
        int[] wanted = mode.folding().of(fuzzy.text()).codePoints().toArray();
        int[] text = token.codePoints().toArray();
        int same = Math.min(fuzzy.prefixLength(), wanted.length);
        if (text.length < same || !Arrays.equals(text, 0, same, wanted, 0, same)) {
            return false;
        }
        return IntStream.rangeClosed(fuzzy.prefix() ? 0 : text.length, text.length)
                .anyMatch(end -> edits(Arrays.copyOf(text, end), wanted) <= fuzzy.maxEdits());
    }

    /** How many characters are more, less or others. */
    private static int edits(int[] one, int[] other) {
        if (one.length == 0 || other.length == 0) {
            return one.length + other.length;
        }
        int[] less = Arrays.copyOf(one, one.length - 1);
        int[] otherLess = Arrays.copyOf(other, other.length - 1);
        if (one[less.length] == other[otherLess.length]) {
            return edits(less, otherLess);
        }
        return 1
                + Math.min(
                        edits(less, otherLess),
                        Math.min(edits(less, other), edits(one, otherLess)));
    }

    private static List<Integer> places(
            List<String> words, TermSettings settings, MatchMode mode, List<String> tokens) {
        List<String> wanted =
                words.stream().flatMap(word -> tokens(word, mode.folding()).stream()).toList();
        var places = new ArrayList<Integer>();
        for (int from = 0; from < tokens.size(); from++) {
            if (stands(wanted, affix(settings, mode), settings, mode, tokens, from)) {
                places.add(from);
            }
        }
        return places;
    }

    private static MatchMode.Affix affix(TermSettings settings, MatchMode mode) {
        return switch (settings.affix()) {
            case FIELD -> mode.affix();
            case PREFIX ->
                    mode.affix() == MatchMode.Affix.SUBSTRING
                            ? MatchMode.Affix.SUBSTRING
                            : MatchMode.Affix.PREFIX;
            case SUFFIX -> MatchMode.Affix.SUFFIX;
            case SUBSTRING -> MatchMode.Affix.SUBSTRING;
        };
    }

    private static boolean isPart(String text, String wanted, MatchMode.Affix affix) {
        return switch (affix) {
            case WHOLE -> text.equals(wanted);
            case PREFIX -> text.startsWith(wanted);
            case SUFFIX -> text.endsWith(wanted);
            case SUBSTRING -> text.contains(wanted);
        };
    }

    private static int places(String text, String wanted) {
        int count = 0;
        for (int at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
            count++;
        }
        return count;
    }

    /** Returns the grams of a word; a shorter word is a gram. */
    private static Stream<String> grams(String word, int size) {
        return word.length() < size
                ? Stream.of(word)
                : IntStream.rangeClosed(0, word.length() - size)
                        .mapToObj(from -> word.substring(from, from + size));
    }

    /**
     * Returns how often grams occur in the grams of an element: all as often as the rarest of them,
     * any as often as in total, others as often as one of their places ends.
     */
    private static int occurrences(
            List<String> wanted, GramMatch how, List<String> tokens, int size) {
        List<String> all = tokens.stream().flatMap(token -> grams(token, size)).toList();
        List<Integer> counts =
                wanted.stream().distinct().map(gram -> Collections.frequency(all, gram)).toList();
        if (wanted.size() == 1) {
            return counts.getFirst();
        }
        return switch (how) {
            case ALL -> Collections.min(counts);
            case ANY, WEAK_AND -> counts.stream().mapToInt(count -> count).sum();
            case PHRASE ->
                    (int)
                            IntStream.rangeClosed(0, all.size() - wanted.size())
                                    .filter(at ->
                                            all.subList(at, at + wanted.size()).equals(wanted))
                                    .count();
            case NEAR ->
                    (int)
                            IntStream.range(0, all.size())
                                    .filter(at ->
                                            wanted.contains(all.get(at))
                                                    && window(all, at).containsAll(wanted))
                                    .count();
            case ORDERED_NEAR ->
                    (int)
                            IntStream.range(0, all.size())
                                    .filter(at ->
                                            wanted.getLast().equals(all.get(at))
                                                    && isSubsequence(wanted, window(all, at)))
                                    .count();
        };
    }

    /** Returns the grams at a position and at the two positions before. */
    private static List<String> window(List<String> grams, int at) {
        return grams.subList(Math.max(0, at - 2), at + 1);
    }

    /** Compares from the end, because the last gram must be the last of the window. */
    private static boolean isSubsequence(List<String> wanted, List<String> window) {
        int left = wanted.size();
        for (int i = window.size() - 1; i >= 0 && left > 0; i--) {
            if (window.get(i).equals(wanted.get(left - 1))) {
                left--;
            }
        }
        return left == 0;
    }

    private static boolean isSame(
            String token, String word, TermSettings settings, MatchMode mode) {
        if (token.equals(word)) {
            return true;
        }
        if (mode.stemming() == Stemming.NONE
                || !settings.stemmed()
                || token.charAt(0) != word.charAt(0)) {
            return false;
        }
        Set<String> both = stems(token, settings, mode.stemming());
        both.retainAll(stems(word, settings, mode.stemming()));
        return !both.isEmpty();
    }

    private static Set<String> stems(String word, TermSettings settings, Stemming stemming) {
        String rules = snowball(word, settings.language());
        if (!settings.language().isEmpty() && !settings.language().startsWith("en")) {
            return new TreeSet<>(Set.of(rules));
        }
        String dictionary = kstem(word);
        return switch (stemming) {
            case NONE -> throw new IllegalArgumentException();
            case BEST -> new TreeSet<>(Set.of(dictionary));
            case SHORTEST ->
                    new TreeSet<>(
                            Set.of(rules.length() < dictionary.length() ? rules : dictionary));
            case MULTIPLE -> new TreeSet<>(List.of(rules, dictionary));
        };
    }

    private static String snowball(String word, String language) {
        var stemmer = language.startsWith("de") ? new GermanStemmer() : new EnglishStemmer();
        stemmer.setCurrent(word);
        stemmer.stem();
        return stemmer.getCurrent();
    }

    private static String kstem(String word) {
        var tokens = new WhitespaceTokenizer();
        tokens.setReader(new StringReader(word));
        try (var stems = new KStemFilter(tokens)) {
            stems.reset();
            stems.incrementToken();
            return stems.getAttribute(CharTermAttribute.class).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Only the first bytes of an element are searched; a truncated character separates words. */
    private static String cut(String element, MatchMode mode) {
        byte[] bytes = element.getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= mode.maxLength()) {
            return element;
        }
        int end = mode.maxLength();
        int whole = end;
        while ((bytes[whole] & 0xc0) == 0x80) {
            whole--;
        }
        return new String(bytes, 0, whole, StandardCharsets.UTF_8) + "\u001a".repeat(end - whole);
    }

    private static List<String> tokens(String text, Folding folding) {
        var tokens = new ArrayList<String>();
        var word = new StringBuilder();
        text.codePoints()
                .forEach(c -> {
                    if (Tokenizer.isWordCharacter(c)) {
                        word.appendCodePoint(c);
                    } else if (!word.isEmpty()) {
                        tokens.add(folding.of(word.toString()));
                        word.setLength(0);
                    }
                });
        if (!word.isEmpty()) {
            tokens.add(folding.of(word.toString()));
        }
        return tokens;
    }
}
