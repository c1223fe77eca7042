package org.crabro.content.search.match.text;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.MatchMode.Affix;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.protocol.query.GramMatch;
import org.crabro.text.TextAnalysis;
import org.crabro.text.Tokenizer;
import org.jspecify.annotations.Nullable;

/**
 * All patterns that a query searches in the texts of one field, prepared for one pass over the
 * tokens. Immutable.
 *
 * <p>Different words are numbered. Each word has slots, which identify its patterns. Words of a
 * phrase of n words are tracked with n bits: bit i is set if the words up to the i-th were the last
 * tokens.
 */
public final class TextScan {
    /** The maximum number of words of a phrase; each takes one bit of a {@code long}. */
    public static final int PHRASE_LENGTH_MAX = Long.SIZE;

    /** A fingerprint of no analysis. */
    private static final long NO_ANALYSIS = -1;

    private final int field;
    private final String name;
    private final MatchMode mode;
    private final int patternCount;
    private final WordTable words;
    private final AffixedWord[] affixedWords;
    private final int[] phrasePatterns;
    private final long[] phraseEnds;
    private final Texts within;
    private final Texts wholes;
    private final PartsOfWords[] grams;
    private final int[] sequences;
    private final TokenPattern[] tokenPatterns;
    private final List<TextPattern> patterns;

    /** A word that matches a part of a token, or that has other forms. */
    static final class AffixedWord {
        private final byte[] text;
        private final Affix affix;
        private final @Nullable WordRule forms;
        private final int[] slots;

        AffixedWord(byte[] text, Affix affix, @Nullable WordRule forms, int[] slots) {
            this.text = text;
            this.affix = affix;
            this.forms = forms;
            this.slots = slots;
        }

        /** Returns a matcher for other forms, for one thread; null if there are none. */
        @Nullable TokenMatcher forms(WorkMeter work) {
            return forms == null ? null : forms.test(text, work);
        }

        byte[] text() {
            return text;
        }

        Affix affix() {
            return affix;
        }

        /** Returns the slots of the word, encoded as in {@link WordTable#slots}. */
        int[] slots() {
            return slots;
        }
    }

    /** The grams of a pattern. One element must have all or any of them. */
    static final class PartsOfWords {
        private final int pattern;
        private final boolean areAll;
        private final byte[][] texts;
        private final Affix[] affixes;

        PartsOfWords(int pattern, boolean areAll, List<TextPattern.Word> parts) {
            this.pattern = pattern;
            this.areAll = areAll;
            this.texts = new byte[parts.size()][];
            this.affixes = new Affix[parts.size()];
            for (int i = 0; i < texts.length; i++) {
                texts[i] = utf8(parts.get(i).text());
                affixes[i] = parts.get(i).affix();
            }
        }

        int pattern() {
            return pattern;
        }

        /** Returns whether all grams must occur. */
        boolean areAll() {
            return areAll;
        }

        int count() {
            return texts.length;
        }

        byte[] text(int part) {
            return texts[part];
        }

        Affix affix(int part) {
            return affixes[part];
        }
    }

    /** Texts that elements are compared with, and their patterns. */
    static final class Texts {
        private final int[] patterns;
        private final byte[][] texts;
        private final Affix[] affixes;

        Texts(int[] patterns, byte[][] texts, Affix[] affixes) {
            this.patterns = patterns;
            this.texts = texts;
            this.affixes = affixes;
        }

        int count() {
            return patterns.length;
        }

        public int pattern(int index) {
            return patterns[index];
        }

        byte[] text(int index) {
            return texts[index];
        }

        Affix affix(int index) {
            return affixes[index];
        }
    }

    public TextScan(int field, String name, MatchMode mode, List<TextPattern> patterns) {
        this.field = field;
        this.name = name;
        this.mode = mode;
        this.patternCount = patterns.size();
        this.patterns = List.copyOf(patterns);
        var slots = new LinkedHashMap<TextPattern.Word, List<Integer>>();
        var phrases = new ArrayList<Integer>();
        var ends = new ArrayList<Long>();
        var withinPatterns = new ArrayList<Integer>();
        var wholePatterns = new ArrayList<Integer>();
        var gramPatterns = new ArrayList<PartsOfWords>();
        var sequencePatterns = new ArrayList<Integer>();
        for (int pattern = 0; pattern < patterns.size(); pattern++) {
            switch (patterns.get(pattern)) {
                case TextPattern.Tokens(var tokens) when tokens.size() == 1 ->
                        slot(slots, tokens.getFirst(), pattern);
                case TextPattern.Tokens(var tokens) -> {
                    for (int i = 0; i < tokens.size(); i++) {
                        slot(slots, tokens.get(i), -1 - ((phrases.size() << 6) | i));
                    }
                    phrases.add(pattern);
                    ends.add(1L << (tokens.size() - 1));
                }
                case TextPattern.Grams(_, var how) when how.isByPosition() ->
                        sequencePatterns.add(pattern);
                case TextPattern.Grams(var parts, var how) ->
                        gramPatterns.add(new PartsOfWords(pattern, how == GramMatch.ALL, parts));
                case TextPattern.Within _ -> withinPatterns.add(pattern);
                case TextPattern.Whole _ -> wholePatterns.add(pattern);
            }
        }
        this.words = WordTable.of(slots);
        this.affixedWords = affixed(slots);
        this.phrasePatterns = ints(phrases);
        this.phraseEnds = new long[ends.size()];
        for (int i = 0; i < phraseEnds.length; i++) {
            phraseEnds[i] = ends.get(i);
        }
        this.within = texts(patterns, withinPatterns);
        this.wholes = texts(patterns, wholePatterns);
        this.grams = gramPatterns.toArray(PartsOfWords[]::new);
        this.sequences = ints(sequencePatterns);
        this.tokenPatterns = new TokenPattern[patternCount];
        for (int i = 0; i < patternCount; i++) {
            tokenPatterns[i] = TokenPattern.of(patterns.get(i));
        }
    }

    private static AffixedWord[] affixed(Map<TextPattern.Word, List<Integer>> slots) {
        var affixed = new ArrayList<AffixedWord>();
        slots.forEach((word, places) -> {
            if (!word.isExact()) {
                affixed.add(
                        new AffixedWord(
                                utf8(word.text()),
                                word.affix(),
                                word.forms().orElse(null),
                                ints(places)));
            }
        });
        return affixed.toArray(AffixedWord[]::new);
    }

    /** Returns how texts of a field are analysed before the comparison. */
    public static TextAnalysis analysis(MatchMode mode) {
        return mode.analysis();
    }

    /**
     * Returns the fingerprint of the analysis that stored tokens must have. If the field limits
     * texts to fewer bytes than are tokenized, no stored tokens match.
     */
    public long fingerprint() {
        return mode.maxLength() < MatchMode.LENGTH_MAX
                ? NO_ANALYSIS
                : TextAnalysis.fingerprint(analysis(mode));
    }

    public int field() {
        return field;
    }

    public String name() {
        return name;
    }

    public MatchMode mode() {
        return mode;
    }

    public TextPattern pattern(int index) {
        return patterns.get(index);
    }

    public int patternCount() {
        return patternCount;
    }

    WordTable words() {
        return words;
    }

    AffixedWord[] affixedWords() {
        return affixedWords;
    }

    /** Returns the index of the pattern of each phrase. */
    int[] phrasePatterns() {
        return phrasePatterns;
    }

    /** Returns the bit of the last word of each phrase. */
    long[] phraseEnds() {
        return phraseEnds;
    }

    Texts within() {
        return within;
    }

    Texts wholes() {
        return wholes;
    }

    PartsOfWords[] grams() {
        return grams;
    }

    /** Returns the indexes of the patterns of grams whose positions decide. */
    int[] sequences() {
        return sequences;
    }

    /**
     * Returns a search of grams whose positions decide, for one thread.
     *
     * @param pattern its index
     */
    public GramSequence sequence(int pattern, WorkMeter work) {
        return new GramSequence((TextPattern.Grams) patterns.get(pattern), mode.gramSize(), work);
    }

    /** Returns the patterns in the form for the search in stored tokens. */
    public TokenPattern[] tokenPatterns() {
        return tokenPatterns;
    }

    private static void slot(
            Map<TextPattern.Word, List<Integer>> slots, TextPattern.Word word, int slot) {
        slots.computeIfAbsent(word, _ -> new ArrayList<>()).add(slot);
    }

    private static Texts texts(List<TextPattern> patterns, List<Integer> chosen) {
        var texts = new ArrayList<byte[]>();
        var affixes = new ArrayList<Affix>();
        for (int pattern : chosen) {
            switch (patterns.get(pattern)) {
                case TextPattern.Within(var text) -> {
                    texts.add(utf8(text));
                    affixes.add(Affix.SUBSTRING);
                }
                case TextPattern.Whole(var text, var affix) -> {
                    texts.add(utf8(text));
                    affixes.add(affix);
                }
                case TextPattern.Tokens _, TextPattern.Grams _ ->
                        throw new IllegalStateException("tokens");
            }
        }
        return new Texts(ints(chosen), texts.toArray(byte[][]::new), affixes.toArray(Affix[]::new));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static int[] ints(List<Integer> list) {
        var ints = new int[list.size()];
        for (int i = 0; i < ints.length; i++) {
            ints[i] = list.get(i);
        }
        return ints;
    }

    /**
     * A hash table of the words that must match exactly. Open addressing, at most half full.
     *
     * <p>Most tokens of a text are other words. Most of them are excluded by their length before a
     * hash is computed.
     */
    static final class WordTable {
        private static final int[] NO_SLOTS = {};

        private final byte[][] texts;
        private final long[] hashes;
        private final int[][] slots;
        private final int mask;
        private final long lengths;

        private WordTable(int size) {
            this.texts = new byte[size][];
            this.hashes = new long[size];
            this.slots = new int[size][];
            this.mask = size - 1;
            this.lengths = 0;
        }

        private WordTable(WordTable table, long lengths) {
            this.texts = table.texts;
            this.hashes = table.hashes;
            this.slots = table.slots;
            this.mask = table.mask;
            this.lengths = lengths;
        }

        static WordTable of(Map<TextPattern.Word, List<Integer>> words) {
            var table = new WordTable(Integer.highestOneBit(words.size() + 1) * 4);
            long lengths = 0;
            for (Map.Entry<TextPattern.Word, List<Integer>> word : words.entrySet()) {
                if (word.getKey().isExact()) {
                    byte[] text = utf8(word.getKey().text());
                    table.put(text, ints(word.getValue()));
                    lengths |= lengthBit(text.length);
                }
            }
            return new WordTable(table, lengths);
        }

        private static long lengthBit(int length) {
            return 1L << Math.min(length, Long.SIZE - 1);
        }

        private void put(byte[] text, int[] wordSlots) {
            long hash = Tokenizer.hash(text);
            int at = (int) hash & mask;
            while (texts[at] != null) {
                at = (at + 1) & mask;
            }
            texts[at] = text;
            hashes[at] = hash;
            slots[at] = wordSlots;
        }

        /**
         * Returns the slots of the tokenizer's current token. A slot is the index of a pattern that
         * consists of this word only, or {@code -1 - (phrase << 6 | bit)}.
         */
        int[] slots(Tokenizer tokenizer) {
            if ((lengths & lengthBit(tokenizer.length())) == 0) {
                return NO_SLOTS;
            }
            long hash = tokenizer.hash();
            for (int at = (int) hash & mask; texts[at] != null; at = (at + 1) & mask) {
                if (hashes[at] == hash && tokenizer.is(texts[at])) {
                    return slots[at];
                }
            }
            return NO_SLOTS;
        }
    }
}
