package org.crabro.content.match;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.MatchMode.Affix;
import org.crabro.content.run.Column;
import org.crabro.content.run.Presence;
import org.crabro.content.run.TextReader;
import org.crabro.text.FoldedText;
import org.crabro.text.Tokenizer;
import org.jspecify.annotations.Nullable;

/**
 * What was found in the texts of one field of the open slice: for every row looked at, how often
 * each pattern occurs and how long the field is. A row is tokenised once, for all patterns, and not
 * before somebody asks about it. For one thread.
 */
public final class TextHits {
    private final TextScan texts;
    private final BlockScan scan;
    private final Tokenizer tokenizer;
    private final FoldedText folded;
    private final TextReader reader = new TextReader();
    private final long[] phraseStates;
    private final long[] phraseMarks;

    /** Used again for every slice, unless it is kept. */
    private Found own;

    private Found found;

    /** What was found in the distinct texts of a column, by their codes. */
    private Found values;

    private Column.@Nullable CodedTexts valuesOf;

    /** What is found next goes here: {@link #found} or {@link #values}. */
    private Found into;

    private int first;
    private int size;
    private boolean fresh;

    /*
     * Whether a phrase was begun by the last token. Most tokens neither begin nor go on with one:
     * then no state needs a look.
     */
    private boolean inPhrase;

    TextHits(TextScan texts, BlockScan scan) {
        this.texts = texts;
        this.scan = scan;
        this.tokenizer = new Tokenizer(TextScan.folding(texts.mode()));
        this.folded = new FoldedText(TextScan.folding(texts.mode()));
        this.own = new Found(texts.patternCount(), 0);
        this.found = own;
        this.values = new Found(texts.patternCount(), 0);
        this.into = own;
        this.phraseStates = new long[texts.phrasePatterns().length];
        this.phraseMarks = new long[texts.phrasePatterns().length];
    }

    /** What was found in the rows of a slice, by index of the row in the slice. */
    static final class Found {
        private final int[][] occurrences;
        private final int[] lengths;
        private final long[] looked;

        Found(int patternCount, int size) {
            this.occurrences = new int[patternCount][size];
            this.lengths = new int[size];
            this.looked = new long[(size + Long.SIZE - 1) / Long.SIZE];
        }

        long byteSize() {
            return (long) (occurrences.length + 1) * lengths.length * Integer.BYTES
                    + (long) looked.length * Long.BYTES;
        }

        /** Notes that a row is looked into, and returns whether it was not before. */
        private boolean look(int index) {
            long bit = 1L << index;
            boolean isNew = (looked[index >>> 6] & bit) == 0;
            looked[index >>> 6] |= bit;
            return isNew;
        }

        private void clear(int size) {
            Arrays.fill(lengths, 0, size, 0);
            Arrays.fill(looked, 0);
            for (int[] ofPattern : occurrences) {
                Arrays.fill(ofPattern, 0, size, 0);
            }
        }
    }

    /**
     * Goes to the rows of a slice.
     *
     * @param kept what was found there before
     */
    void open(int firstRow, int rowCount, @Nullable Found kept) {
        first = firstRow;
        size = rowCount;
        fresh = kept == null;
        found = kept == null ? own : kept;
    }

    /** Gives what was found in the open slice away; nothing where nobody has looked. */
    @Nullable Found give() {
        if (fresh) {
            return null;
        }
        own = new Found(texts.patternCount(), 0);
        return found;
    }

    /** Looks into the rows that were not looked into yet. */
    public void look(int[] rows, int count) {
        if (fresh) {
            begin();
        }
        switch (scan.column(texts.field()).orElse(null)) {
            case null -> {}
            case Column.Texts column -> look(column, rows, count);
            case Column.Arrays column -> {
                if (column.elements() instanceof Column.Texts elements) {
                    look(column, elements, rows, count);
                }
            }
            case Column.Numbers _, Column.Booleans _, Column.DenseTensors _ -> {}
        }
    }

    /**
     * Returns how often a pattern occurs in a row that was looked into.
     *
     * @param pattern by {@link Matcher#textPatterns}
     */
    public int occurrences(int pattern, int row) {
        return found.occurrences[pattern][row - first];
    }

    /**
     * Returns how many tokens the field has in a row that was looked into; elements where the field
     * is matched by whole values.
     */
    public int length(int row) {
        return found.lengths[row - first];
    }

    private void begin() {
        if (own.lengths.length < size) {
            own = new Found(texts.patternCount(), size);
            found = own;
        } else {
            own.clear(size);
        }
        fresh = false;
    }

    private boolean isNew(Presence presence, int row) {
        return found.look(row - first) && presence.has(row);
    }

    private void look(Column.Texts column, int[] rows, int count) {
        for (int i = 0; i < count; i++) {
            int row = rows[i];
            if (isNew(column.presence(), row)) {
                element(column, row, row - first);
            }
        }
    }

    private void look(Column.Arrays column, Column.Texts elements, int[] rows, int count) {
        for (int i = 0; i < count; i++) {
            int row = rows[i];
            if (isNew(column.presence(), row)) {
                int end = column.first(row + 1);
                for (int at = column.first(row); at < end; at++) {
                    element(elements, at, row - first);
                }
            }
        }
    }

    private void element(Column.Texts column, int element, int index) {
        if (column instanceof Column.CodedTexts coded) {
            addValue(coded, coded.code(element), index);
        } else {
            reader.read(column, element);
            into = found;
            text(index);
        }
    }

    /** Adds what is in one of a column's distinct texts, which is looked into once. */
    private void addValue(Column.CodedTexts column, int code, int index) {
        if (!column.equals(valuesOf)) {
            if (values.lengths.length < column.valueCount()) {
                values = new Found(texts.patternCount(), column.valueCount());
            } else {
                values.clear(column.valueCount());
            }
            valuesOf = column;
        }
        if (values.look(code)) {
            reader.readValue(column, code);
            into = values;
            text(code);
        }
        found.lengths[index] += values.lengths[code];
        for (int pattern = 0; pattern < found.occurrences.length; pattern++) {
            found.occurrences[pattern][index] += values.occurrences[pattern][code];
        }
    }

    /** Looks into the text that the reader is at. */
    private void text(int index) {
        MemorySegment bytes = reader.bytes();
        long start = reader.offset();
        int length = reader.length();
        if (texts.mode().unit() == MatchMode.Unit.VALUE) {
            into.lengths[index]++;
            folded.set(bytes, start, length);
            compare(texts.wholes(), index);
            return;
        }
        tokens(bytes, start, length, index);
        if (texts.within().count() > 0) {
            folded.set(bytes, start, length);
            compare(texts.within(), index);
        }
    }

    private void tokens(MemorySegment bytes, long start, int length, int index) {
        tokenizer.set(bytes, start, length);
        forgetPhrases();
        TextScan.WordTable words = texts.words();
        TextScan.AffixedWord[] affixed = texts.affixedWords();
        int count = 0;
        while (tokenizer.next()) {
            count++;
            boolean marked = mark(words.slots(tokenizer), index);
            for (TextScan.AffixedWord word : affixed) {
                if (fits(word, tokenizer.buffer(), tokenizer.length())) {
                    marked |= mark(word.slots(), index);
                }
            }
            if (marked) {
                goOn(index);
            } else if (inPhrase) {
                forgetPhrases();
            }
        }
        into.lengths[index] += count;
    }

    /** Counts a single word, or notes for the phrases it is in that the word is here. */
    private boolean mark(int[] slots, int index) {
        boolean marked = false;
        for (int slot : slots) {
            if (slot >= 0) {
                into.occurrences[slot][index]++;
            } else {
                int place = -1 - slot;
                phraseMarks[place >>> 6] |= 1L << place;
                marked = true;
            }
        }
        return marked;
    }

    private void goOn(int index) {
        long[] ends = texts.phraseEnds();
        long any = 0;
        for (int phrase = 0; phrase < phraseStates.length; phrase++) {
            long state = ((phraseStates[phrase] << 1) | 1) & phraseMarks[phrase];
            phraseStates[phrase] = state;
            phraseMarks[phrase] = 0;
            any |= state;
            if ((state & ends[phrase]) != 0) {
                into.occurrences[texts.phrasePatterns()[phrase]][index]++;
            }
        }
        inPhrase = any != 0;
    }

    private void forgetPhrases() {
        Arrays.fill(phraseStates, 0);
        inPhrase = false;
    }

    private static boolean fits(TextScan.AffixedWord word, byte[] token, int length) {
        byte[] text = word.text();
        if (text.length > length) {
            return false;
        }
        int from = word.affix() == Affix.PREFIX ? 0 : length - text.length;
        return Arrays.equals(token, from, from + text.length, text, 0, text.length);
    }

    private void compare(TextScan.Texts wanted, int index) {
        byte[] element = folded.buffer();
        int length = folded.length();
        for (int i = 0; i < wanted.count(); i++) {
            byte[] text = wanted.text(i);
            int count =
                    switch (wanted.affix(i)) {
                        case WHOLE -> folded.is(text) ? 1 : 0;
                        case PREFIX -> standsAt(element, 0, length, text) ? 1 : 0;
                        case SUFFIX ->
                                standsAt(element, length - text.length, length, text) ? 1 : 0;
                        case SUBSTRING -> count(element, length, text);
                    };
            into.occurrences[wanted.pattern(i)][index] += count;
        }
    }

    private static int count(byte[] element, int length, byte[] text) {
        int count = 0;
        for (int at = 0; at + text.length <= length; at++) {
            if (element[at] == text[0] && standsAt(element, at, length, text)) {
                count++;
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
