package org.crabro.content.search.match.text;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.IntPredicate;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.MatchMode.Affix;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.text.FoldedText;
import org.crabro.text.Tokenizer;
import org.jspecify.annotations.Nullable;

/**
 * Finds patterns in texts in their original form. It tokenizes and folds the texts, or compares
 * whole elements. All patterns are searched in one pass. For one thread.
 */
public final class RawTextSearch {
    /**
     * The number of bytes compared in one unit of work; the processor compares many bytes at once.
     */
    private static final int COMPARED_BYTES = 16;

    private final TextScan texts;
    private final WorkMeter work;
    private final Tokenizer tokenizer;
    private final FoldedText folded;
    private final long[] phraseStates;
    private final long[] phraseMarks;

    /** Matchers for forms of the affixed words; null for words without other forms. */
    private final @Nullable TokenMatcher[] forms;

    /** By pattern of grams and by gram: its number of occurrences in the text. */
    private final int[][] gramCounts;

    private final GramSequence[] sequences;
    private int sequenceCount;
    private final GramSequence.Sink sequenceSink = (_, _) -> sequenceCount++;

    /*
     * Whether a phrase may continue after the last token. Most tokens neither start nor continue a
     * phrase; then no state is updated.
     */
    private boolean inPhrase;

    public RawTextSearch(TextScan texts, WorkMeter work) {
        this.texts = texts;
        this.work = work;
        this.tokenizer = new Tokenizer(TextScan.analysis(texts.mode()));
        this.folded = new FoldedText(TextScan.analysis(texts.mode()));
        this.phraseStates = new long[texts.phrasePatterns().length];
        this.phraseMarks = new long[texts.phrasePatterns().length];
        this.forms =
                Arrays.stream(texts.affixedWords())
                        .map(word -> word.forms(work))
                        .toArray(TokenMatcher[]::new);
        this.gramCounts =
                Arrays.stream(texts.grams())
                        .map(parts -> new int[parts.count()])
                        .toArray(int[][]::new);
        this.sequences =
                Arrays.stream(texts.sequences())
                        .mapToObj(pattern -> texts.sequence(pattern, work))
                        .toArray(GramSequence[]::new);
    }

    /**
     * Searches all patterns in a text.
     *
     * @param index the index in {@code occurrences} of the row or the distinct text
     */
    public void look(
            MemorySegment bytes, long start, int size, TextOccurrences occurrences, int index) {
        int length = Math.min(size, texts.mode().maxLength());
        work.spend(length);
        if (texts.mode().unit() == MatchMode.Unit.VALUE) {
            occurrences.addLength(index, 1);
            folded.set(bytes, start, length);
            compare(texts.wholes(), _ -> true, occurrences, index);
            return;
        }
        tokens(bytes, start, length, occurrences, index);
        if (texts.within().count() > 0) {
            folded.set(bytes, start, length);
            compare(texts.within(), _ -> true, occurrences, index);
        }
    }

    /**
     * Searches a text only for substrings that are {@code wanted}, and for grams whose positions
     * decide.
     */
    public void lookWithin(
            MemorySegment bytes,
            long start,
            int length,
            IntPredicate wanted,
            TextOccurrences occurrences,
            int index) {
        int looked = Math.min(length, texts.mode().maxLength());
        work.spend(looked);
        if (texts.within().count() > 0) {
            folded.set(bytes, start, looked);
            compare(texts.within(), wanted, occurrences, index);
        }
        if (sequences.length > 0) {
            tokenizer.set(bytes, start, looked);
            beginSequences();
            while (tokenizer.next()) {
                addToSequences(occurrences, index);
            }
        }
    }

    private void beginSequences() {
        for (GramSequence sequence : sequences) {
            sequence.begin();
        }
    }

    /** Adds the current token to the sequences of grams. */
    private void addToSequences(TextOccurrences occurrences, int index) {
        for (int i = 0; i < sequences.length; i++) {
            sequenceCount = 0;
            sequences[i].add(tokenizer.buffer(), 0, tokenizer.length(), sequenceSink);
            if (sequenceCount > 0) {
                occurrences.add(texts.sequences()[i], index, sequenceCount);
            }
        }
    }

    private void tokens(
            MemorySegment bytes, long start, int length, TextOccurrences occurrences, int index) {
        tokenizer.set(bytes, start, length);
        forgetPhrases();
        beginSequences();
        TextScan.WordTable words = texts.words();
        TextScan.AffixedWord[] affixed = texts.affixedWords();
        int count = 0;
        while (tokenizer.next()) {
            count++;
            boolean marked = mark(words.slots(tokenizer), occurrences, index);
            work.spend(affixed.length);
            for (int i = 0; i < affixed.length; i++) {
                if (fits(affixed[i], forms[i], tokenizer.buffer(), tokenizer.length())) {
                    marked |= mark(affixed[i].slots(), occurrences, index);
                }
            }
            if (gramCounts.length > 0) {
                countGrams();
            }
            addToSequences(occurrences, index);
            if (marked) {
                goOn(occurrences, index);
            } else if (inPhrase) {
                forgetPhrases();
            }
        }
        occurrences.addLength(index, count);
        if (gramCounts.length > 0) {
            addGrams(occurrences, index);
        }
    }

    private void countGrams() {
        byte[] token = tokenizer.buffer();
        int length = tokenizer.length();
        TextScan.PartsOfWords[] grams = texts.grams();
        for (int i = 0; i < grams.length; i++) {
            int[] counts = gramCounts[i];
            work.spend(counts.length);
            for (int part = 0; part < counts.length; part++) {
                byte[] text = grams[i].text(part);
                counts[part] +=
                        grams[i].affix(part) == Affix.SUBSTRING
                                ? count(token, length, text, work)
                                : tokenizer.is(text) ? 1 : 0;
            }
        }
    }

    /**
     * Grams occur together as often as the rarest of them does. Any of them occur as often as they
     * do in total.
     */
    private void addGrams(TextOccurrences occurrences, int index) {
        for (int i = 0; i < gramCounts.length; i++) {
            int least = Integer.MAX_VALUE;
            int total = 0;
            for (int part = 0; part < gramCounts[i].length; part++) {
                least = Math.min(least, gramCounts[i][part]);
                total += gramCounts[i][part];
                gramCounts[i][part] = 0;
            }
            TextScan.PartsOfWords grams = texts.grams()[i];
            occurrences.add(grams.pattern(), index, grams.areAll() ? least : total);
        }
    }

    /** Counts a single word, or marks the word as seen in the phrases that contain it. */
    private boolean mark(int[] slots, TextOccurrences occurrences, int index) {
        boolean marked = false;
        for (int slot : slots) {
            if (slot >= 0) {
                occurrences.add(slot, index, 1);
            } else {
                int place = -1 - slot;
                phraseMarks[place >>> 6] |= 1L << place;
                marked = true;
            }
        }
        return marked;
    }

    private void goOn(TextOccurrences occurrences, int index) {
        work.spend(phraseStates.length);
        long[] ends = texts.phraseEnds();
        long any = 0;
        for (int phrase = 0; phrase < phraseStates.length; phrase++) {
            long state = ((phraseStates[phrase] << 1) | 1) & phraseMarks[phrase];
            phraseStates[phrase] = state;
            phraseMarks[phrase] = 0;
            any |= state;
            if ((state & ends[phrase]) != 0) {
                occurrences.add(texts.phrasePatterns()[phrase], index, 1);
            }
        }
        inPhrase = any != 0;
    }

    private void forgetPhrases() {
        Arrays.fill(phraseStates, 0);
        inPhrase = false;
    }

    private static boolean fits(
            TextScan.AffixedWord word, @Nullable TokenMatcher forms, byte[] token, int length) {
        if (forms != null) {
            return forms.fits(token, length);
        }
        byte[] text = word.text();
        if (text.length > length) {
            return false;
        }
        return switch (word.affix()) {
            case PREFIX -> Arrays.equals(token, 0, text.length, text, 0, text.length);
            case SUFFIX -> Arrays.equals(token, length - text.length, length, text, 0, text.length);
            case WHOLE, SUBSTRING ->
                    throw new IllegalStateException("no search of tokens by " + word.affix());
        };
    }

    private void compare(
            TextScan.Texts wanted, IntPredicate isWanted, TextOccurrences occurrences, int index) {
        byte[] element = folded.buffer();
        int length = folded.length();
        for (int i = 0; i < wanted.count(); i++) {
            byte[] text = wanted.text(i);
            work.spend(1 + text.length / COMPARED_BYTES);
            if (isWanted.test(wanted.pattern(i))) {
                int count =
                        switch (wanted.affix(i)) {
                            case WHOLE -> folded.is(text) ? 1 : 0;
                            case PREFIX -> standsAt(element, 0, length, text) ? 1 : 0;
                            case SUFFIX ->
                                    standsAt(element, length - text.length, length, text) ? 1 : 0;
                            case SUBSTRING -> count(element, length, text, work);
                        };
                occurrences.add(wanted.pattern(i), index, count);
            }
        }
    }

    /** Returns how often a text occurs in the first {@code length} bytes. */
    public static int count(byte[] element, int length, byte[] text, WorkMeter work) {
        work.spend(length);
        // If the first byte is equal, the rest may be compared to its end.
        int units = 1 + text.length / COMPARED_BYTES;
        int count = 0;
        for (int at = 0; at + text.length <= length; at++) {
            if (element[at] == text[0]) {
                work.spend(units);
                if (standsAt(element, at, length, text)) {
                    count++;
                }
            }
        }
        return count;
    }

    private static boolean standsAt(byte[] element, int at, int length, byte[] text) {
        return at >= 0
                && at + text.length <= length
                && Arrays.equals(element, at, at + text.length, text, 0, text.length);
    }
}
