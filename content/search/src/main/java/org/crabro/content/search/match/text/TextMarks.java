package org.crabro.content.search.match.text;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.MatchMode.Affix;
import org.crabro.config.schema.SnippetSettings;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.protocol.query.GramMatch;
import org.crabro.text.FoldedText;
import org.crabro.text.Folding;
import org.crabro.text.TextAnalysis;
import org.crabro.text.Tokenizer;

/**
 * Finds the parts of a returned text that match a query's terms in that field, for highlighting. It
 * runs only on the few texts of hits; {@link TextScan} decides which documents match.
 */
public final class TextMarks {
    /** The units of work to read a character of a word. */
    private static final int CHAR_UNITS = 2;

    /** The units of work to fold a character and to store its position in the original text. */
    private static final int FOLD_UNITS = 32;

    private final TextAnalysis analysis;
    private final int gramSize;
    private final List<SearchedTerm> terms;
    private final SnippetSettings settings;
    private final WorkMeter work;

    /** How much of a word that fits a term is marked. */
    public enum Kind {
        /** An equal word, or one that is longer by a few characters. */
        WORD,
        /** The whole word that begins with the term. */
        PREFIX,
        /** The part of the text that is equal to the term. */
        PART
    }

    /** A term to mark. */
    public record SearchedTerm(TextPattern pattern, Kind kind) {}

    /**
     * @param settings decide when a word that only starts with a searched word is marked too; it is
     *     likely another form of that word
     * @param work counts the cost of long texts
     */
    public TextMarks(
            MatchMode mode, List<SearchedTerm> terms, SnippetSettings settings, WorkMeter work) {
        this.work = work;
        this.settings = settings;
        this.analysis = TextScan.analysis(mode);
        this.gramSize = mode.gramSize();
        this.terms = List.copyOf(terms);
    }

    /**
     * A marked part of a text.
     *
     * @param start in characters from the start of the text
     * @param end the index after the last character
     * @param pattern the index of the matching term
     */
    public record Mark(int start, int end, int pattern) {}

    /** Returns the matching parts of {@code text}, in order and without overlap. */
    public List<Mark> of(String text) {
        String looked = text.substring(0, Math.min(text.length(), Tokenizer.TEXT_LENGTH_MAX));
        work.spend(looked.length(), FOLD_UNITS);
        var folded = new Folded(looked, analysis);
        var all = new ArrayList<Mark>();
        for (int i = 0; i < terms.size(); i++) {
            boolean isPrefix = terms.get(i).kind() == Kind.PREFIX;
            switch (terms.get(i).pattern()) {
                case TextPattern.Tokens(var words) -> tokens(folded, words, i, all);
                case TextPattern.Grams grams when grams.how().isByPosition() ->
                        sequence(folded, grams, i, all);
                case TextPattern.Grams(var parts, var how) ->
                        grams(folded, parts, how == GramMatch.ALL, i, all);
                case TextPattern.Within(var part) -> within(folded, part, i, all);
                case TextPattern.Whole(var whole, _) when isPrefix -> {
                    if (folded.text.startsWith(whole)) {
                        all.add(folded.mark(0, folded.length, i));
                    }
                }
                case TextPattern.Whole(var whole, var affix) ->
                        part(folded, 0, folded.length, new TextPattern.Word(whole, affix), i, all);
            }
        }
        all.sort(Comparator.comparingInt(Mark::start).thenComparingInt(mark -> -mark.end()));
        var marks = new ArrayList<Mark>();
        int behind = 0;
        for (Mark mark : all) {
            if (mark.start() >= behind) {
                marks.add(mark);
                behind = mark.end();
            }
        }
        return marks;
    }

    /** Returns the words of {@code text} in the form in which they are compared. */
    public static List<String> words(String text, TextAnalysis analysis) {
        var folded = new Folded(text, analysis);
        var words = new ArrayList<String>();
        for (int start = folded.word(0); start < folded.length; ) {
            int end = folded.wordEnd(start);
            words.add(folded.text.substring(start, end));
            start = folded.word(end);
        }
        return words;
    }

    private static void form(
            Folded folded, int start, int end, TokenMatcher forms, int pattern, List<Mark> into) {
        byte[] word = folded.text.substring(start, end).getBytes(StandardCharsets.UTF_8);
        if (forms.fits(word, word.length)) {
            into.add(folded.mark(start, end, pattern));
        }
    }

    /** Marks grams at the places where they follow each other, or are near each other. */
    private void sequence(Folded folded, TextPattern.Grams grams, int pattern, List<Mark> into) {
        Set<String> texts =
                grams.parts().stream().map(TextPattern.Word::text).collect(Collectors.toSet());
        var sequence = new GramSequence(grams, gramSize, work);
        var starts = new ArrayList<Integer>();
        var ends = new ArrayList<Integer>();
        var covered = new BitSet();
        for (int start = folded.word(0); start < folded.length; ) {
            int end = folded.wordEnd(start);
            String word = folded.text.substring(start, end);
            int at = 0;
            int gramEnd = gramEnd(word);
            starts.add(start);
            ends.add(start + gramEnd);
            while (gramEnd < word.length()) {
                at = word.offsetByCodePoints(at, 1);
                gramEnd = word.offsetByCodePoints(gramEnd, 1);
                starts.add(start + at);
                ends.add(start + gramEnd);
            }
            byte[] utf8 = word.getBytes(StandardCharsets.UTF_8);
            sequence.add(
                    utf8,
                    0,
                    utf8.length,
                    (first, last) -> {
                        for (int i = first; i <= last; i++) {
                            if (texts.contains(folded.text.substring(starts.get(i), ends.get(i)))) {
                                covered.set(starts.get(i), ends.get(i));
                            }
                        }
                    });
            start = folded.word(end);
        }
        mark(folded, covered, pattern, into);
    }

    /** Returns the end of the first gram of a word; a shorter word is a gram itself. */
    private int gramEnd(String word) {
        return word.codePointCount(0, word.length()) <= gramSize
                ? word.length()
                : word.offsetByCodePoints(0, gramSize);
    }

    /** Marks adjacent characters as one part. */
    private static void mark(Folded folded, BitSet covered, int pattern, List<Mark> into) {
        for (int at = covered.nextSetBit(0); at >= 0; ) {
            int end = covered.nextClearBit(at);
            into.add(folded.mark(at, end, pattern));
            at = covered.nextSetBit(end);
        }
    }

    /**
     * Marks grams if all of them occur in the text, or if not all must. Adjacent grams are marked
     * as one part.
     */
    private void grams(
            Folded folded,
            List<TextPattern.Word> parts,
            boolean areAll,
            int pattern,
            List<Mark> into) {
        var covered = new BitSet();
        for (TextPattern.Word part : parts) {
            boolean isMatch = false;
            for (int start = folded.word(0); start < folded.length; ) {
                int end = folded.wordEnd(start);
                work.spend(end - start, CHAR_UNITS);
                if (part.affix() == Affix.SUBSTRING) {
                    for (int at = folded.text.indexOf(part.text(), start, end);
                            at >= 0;
                            at = folded.text.indexOf(part.text(), at + 1, end)) {
                        covered.set(at, at + part.text().length());
                        isMatch = true;
                    }
                } else if (folded.text.substring(start, end).equals(part.text())) {
                    covered.set(start, end);
                    isMatch = true;
                }
                start = folded.word(end);
            }
            if (!isMatch && areAll) {
                return;
            }
        }
        mark(folded, covered, pattern, into);
    }

    private void tokens(Folded folded, List<TextPattern.Word> words, int pattern, List<Mark> into) {
        List<Optional<TokenMatcher>> forms =
                words.stream()
                        .map(word ->
                                word.forms()
                                        .map(rule ->
                                                rule.test(
                                                        word.text()
                                                                .getBytes(StandardCharsets.UTF_8),
                                                        work)))
                        .toList();
        for (int start = folded.word(0); start < folded.length; ) {
            var marks = new ArrayList<Mark>();
            int at = start;
            for (int i = 0; i < words.size(); i++) {
                TextPattern.Word word = words.get(i);
                int end = at < folded.length ? folded.wordEnd(at) : at;
                work.spend(1 + end - at, CHAR_UNITS);
                int before = marks.size();
                if (at < end) {
                    if (forms.get(i).isPresent()) {
                        form(folded, at, end, forms.get(i).get(), pattern, marks);
                    } else {
                        part(folded, at, end, word, pattern, marks);
                    }
                    boolean isFound = marks.size() > before;
                    if (isFound && isPrefix(word, pattern)) {
                        marks.set(before, folded.mark(at, end, pattern));
                    } else if (!isFound && words.size() == 1 && isStem(folded, at, end, word)) {
                        marks.add(folded.mark(at, end, pattern));
                    }
                }
                if (marks.size() == before) {
                    marks.clear();
                    break;
                }
                at = folded.word(end);
            }
            into.addAll(marks);
            start = folded.word(folded.wordEnd(start));
        }
    }

    /** Returns whether a whole word is marked that begins with {@code word}. */
    private boolean isPrefix(TextPattern.Word word, int pattern) {
        return terms.get(pattern).kind() == Kind.PREFIX
                && word.affix() == Affix.PREFIX
                && !Tokenizer.isRun(word.text());
    }

    private boolean isStem(Folded folded, int start, int end, TextPattern.Word word) {
        int suffixLength = end - start - word.text().length();
        return word.isWritten()
                && word.text().length() > settings.stem().minLength()
                && suffixLength > 0
                && suffixLength <= settings.stem().maxExtend()
                && folded.text.startsWith(word.text(), start);
    }

    private static void within(Folded folded, String part, int pattern, List<Mark> into) {
        for (int at = folded.text.indexOf(part);
                at >= 0;
                at = folded.text.indexOf(part, at + part.length())) {
            into.add(folded.mark(at, at + part.length(), pattern));
        }
    }

    /**
     * Marks {@code word} in the folded characters from {@code start} (inclusive) to {@code end}
     * (exclusive).
     */
    private static void part(
            Folded folded,
            int start,
            int end,
            TextPattern.Word word,
            int pattern,
            List<Mark> into) {
        int length = word.text().length();
        int at =
                switch (word.affix()) {
                    case WHOLE -> length == end - start ? start : -1;
                    case PREFIX -> start;
                    case SUFFIX -> end - length;
                    case SUBSTRING -> folded.text.indexOf(word.text(), start, end);
                };
        if (at >= start && at + length <= end && folded.text.startsWith(word.text(), at)) {
            into.add(folded.mark(at, at + length, pattern));
        }
    }

    /** A folded text with the position of each character in the original text. */
    private static final class Folded {
        private final String text;
        private final int length;
        private final int end;

        /** By folded character: the index in the original text of its code point. */
        private int[] from;

        private boolean[] inWord;

        Folded(String raw, TextAnalysis analysis) {
            var folded = new StringBuilder(raw.length());
            this.from = new int[raw.length() + 8];
            this.inWord = new boolean[raw.length() + 8];
            for (int at = 0; at < raw.length(); ) {
                int codePoint = raw.codePointAt(at);
                boolean isWord = Tokenizer.isWordCharacter(codePoint);
                boolean isInside = isWord && !folded.isEmpty() && inWord[folded.length() - 1];
                int special = isInside ? at : analysis.special().end(raw, at);
                if (special > at) {
                    // A blank on each side keeps the token apart from words next to it.
                    append(folded, " ", at, false);
                    append(folded, special(raw.substring(at, special), analysis), at, true);
                    append(folded, " ", at, false);
                    at = special;
                } else {
                    append(folded, piece(analysis, folded, codePoint), at, isWord);
                    at += Character.charCount(codePoint);
                }
            }
            this.text = folded.toString();
            this.length = text.length();
            this.end = raw.length();
        }

        /** Appends the folded form of what is at {@code at} in the original text. */
        private void append(StringBuilder folded, String piece, int at, boolean isWord) {
            int after = folded.length() + piece.length();
            if (from.length < after) {
                from = Arrays.copyOf(from, 2 * after);
                inWord = Arrays.copyOf(inWord, 2 * after);
            }
            Arrays.fill(from, folded.length(), after, at);
            Arrays.fill(inWord, folded.length(), after, isWord);
            folded.append(piece);
        }

        private static String special(String written, TextAnalysis analysis) {
            byte[] utf8 = written.getBytes(StandardCharsets.UTF_8);
            var tokenizer = new Tokenizer(analysis);
            tokenizer.set(utf8, 0, utf8.length);
            return tokenizer.next()
                    ? new String(tokenizer.buffer(), 0, tokenizer.length(), StandardCharsets.UTF_8)
                    : written;
        }

        /**
         * Returns the folded form of a code point. It depends on the text before, because accents
         * depend on their letter.
         */
        private static String piece(TextAnalysis analysis, StringBuilder before, int codePoint) {
            if (codePoint < 0x80) {
                int folded =
                        analysis.folding() == Folding.NONE
                                ? codePoint
                                : Character.toLowerCase(codePoint);
                return String.valueOf((char) folded);
            }
            String alone = FoldedText.of(Character.toString(codePoint), analysis);
            if (before.isEmpty() || Character.getType(codePoint) != Character.NON_SPACING_MARK) {
                return alone;
            }
            String letter = before.substring(before.length() - 1);
            String both = FoldedText.of(letter + Character.toString(codePoint), analysis);
            return both.startsWith(letter) ? both.substring(letter.length()) : alone;
        }

        /**
         * Returns the index of the next word at or after {@code at}; the length of the text if
         * there is none.
         */
        int word(int at) {
            int next = at;
            while (next < length && !inWord[next]) {
                next++;
            }
            return next;
        }

        int wordEnd(int start) {
            int next = start;
            while (next < length && inWord[next]) {
                next++;
            }
            return next;
        }

        Mark mark(int start, int behind, int pattern) {
            int next = behind;
            // A code point that was folded to several characters is marked as a whole.
            while (next < length && from[next] == from[behind - 1]) {
                next++;
            }
            return new Mark(from[start], next < length ? from[next] : end, pattern);
        }
    }
}
