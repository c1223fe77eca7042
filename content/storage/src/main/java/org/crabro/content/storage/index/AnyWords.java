package org.crabro.content.storage.index;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.lucene.util.FixedBitSet;
import org.jspecify.annotations.Nullable;

/**
 * The live rows that have at least one of several words, the most common word first.
 *
 * <p>In a range of rows, those that have only the most common words are often of no use. Then the
 * rarer words choose the rows, as in MaxScore (Turtle and Flood, Query evaluation: strategies and
 * optimizations, 1995).
 */
public final class AnyWords extends SeveralWords {
    /** For fewer rows, the postings of other words are not read block by block. */
    private static final int FEW = 32;

    private final LiveRows live;
    private final FixedBitSet all;
    private final FixedBitSet matches = new FixedBitSet(ROWS_MAX);
    private final int[] positions = new int[ROWS_MAX];

    /** By word, whether it has so few rows that each is a range of its own. */
    private final boolean[] areRare;

    private int next;

    /** The rows before this one may be of use. */
    private int usefulTo;

    private AnyWords(IndexedWord[] words, WordBlocks[] blocks, LiveRows live, FixedBitSet all) {
        super(words, blocks);
        this.live = live;
        this.all = all;
        this.areRare = new boolean[words.length];
        for (int i = 0; i < words.length; i++) {
            areRare[i] = words[i].rowsMax() * ROWS_MAX < live.rowCount();
        }
    }

    /**
     * Returns the rows; null if the postings of a word have no blocks.
     *
     * @param all the rows, dead ones too, one bit per row
     */
    static @Nullable AnyWords of(List<IndexedWord> words, LiveRows live, FixedBitSet all) {
        IndexedWord[] some =
                words.stream()
                        .filter(word -> word.rowsMax() > 0)
                        .distinct()
                        .sorted(Comparator.comparingLong(IndexedWord::rowsMax).reversed())
                        .toArray(IndexedWord[]::new);
        var blocks = new WordBlocks[some.length];
        for (int i = 0; i < some.length; i++) {
            WordBlocks ofWord = some[i].blocks().orElse(null);
            if (ofWord == null) {
                return null;
            }
            blocks[i] = ofWord;
        }
        return new AnyWords(some, blocks, live, all);
    }

    @Override
    public int count() {
        return live.count(all);
    }

    @Override
    public int read(WordBlocks.Use use) {
        while (next < live.rowCount()) {
            int from = next;
            if (from >= usefulTo) {
                int end = end(from, true);
                if (!use.isUseful(best)) {
                    next = end;
                    continue;
                }
                usefulTo = end;
            }
            next = Math.min(end(from, false), from + ROWS_MAX);
            if (use.isUseful(best)) {
                int count = collect(from, next, optional(use));
                if (count > 0) {
                    return count;
                }
            }
        }
        return 0;
    }

    /** Sets the pairs of the rows from a row on, and returns the row after the last of them. */
    private int end(int from, boolean isFar) {
        int end = live.rowCount();
        for (int word = 0; word < blocks.length; word++) {
            int ofWord =
                    areRare[word]
                            ? blocks[word].rareEnd(from, word, best)
                            : blocks[word].shallowEnd(from, isFar, word, best);
            end = Math.min(end, ofWord);
        }
        return end;
    }

    /** Returns how many words, the most common ones, a row of use may not have alone. */
    private int optional(WordBlocks.Use use) {
        int optional = 0;
        while (optional + 1 < words.length) {
            best.limit(optional + 1);
            boolean isUseful = use.isUseful(best);
            best.limit(words.length);
            if (isUseful) {
                break;
            }
            optional++;
        }
        return optional;
    }

    /** Reads the live rows of a range that have a word from {@code optional} on. */
    private int collect(int from, int to, int optional) {
        matches.clear(0, to - from);
        for (int word = optional; word < words.length; word++) {
            WordBlocks ofWord = blocks[word];
            ofWord.read(from, to);
            for (int i = 0; i < ofWord.size(); i++) {
                int row = ofWord.rows()[i];
                if (live.has(row)) {
                    matches.set(row - from);
                }
            }
        }
        int count = 0;
        for (int at = matches.nextSetBit(0);
                at < to - from;
                at = at + 1 < ROWS_MAX ? matches.nextSetBit(at + 1) : WordCursor.END) {
            positions[at] = count;
            rows[count++] = from + at;
        }
        for (int word = 0; count > 0 && word < words.length; word++) {
            int[] into = occurrences[word];
            if (word < optional && count <= FEW) {
                for (int i = 0; i < count; i++) {
                    into[i] = blocks[word].occurrencesIn(rows[i]);
                }
            } else {
                WordBlocks ofWord = blocks[word];
                if (word < optional) {
                    ofWord.read(from, to);
                }
                Arrays.fill(into, 0, count, 0);
                for (int i = 0; i < ofWord.size(); i++) {
                    int at = ofWord.rows()[i] - from;
                    if (matches.get(at)) {
                        into[positions[at]] = ofWord.occurrences()[i];
                    }
                }
            }
        }
        return count;
    }
}
