package org.crabro.content.storage.index;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import org.apache.lucene.index.Impacts;
import org.apache.lucene.index.ImpactsEnum;
import org.apache.lucene.search.DocAndFloatFeatureBuffer;
import org.apache.lucene.util.FixedBitSet;

/**
 * The rows with a word, block by block of its postings. Blocks whose rows are of no use are not
 * decoded. For one thread.
 */
public final class WordBlocks {
    /** Larger numbers of occurrences are not exact in the numbers of a batch. */
    private static final int EXACT_MAX = 1 << 24;

    private final IndexedWord word;
    private final ImpactsEnum postings;
    private final DocAndFloatFeatureBuffer batch = new DocAndFloatFeatureBuffer();
    private int[] rows = {};
    private int[] occurrences = {};
    private int size;

    /** The first row that was neither read nor left out. */
    private int next;

    /** The row after the last of the current block. */
    private int end;

    private final BestPairs best = new BestPairs(1);

    /** Decides about the rows of a block. */
    public interface Use {
        /** Returns whether one of the rows that some pairs describe may be of use. */
        boolean isUseful(BestPairs pairs);
    }

    WordBlocks(IndexedWord word, ImpactsEnum postings) {
        this.word = word;
        this.postings = postings;
    }

    /** Returns the rows that were read last, rising. */
    public int[] rows() {
        return rows;
    }

    /** Returns how often the word occurs in each of {@link #rows()}. */
    public int[] occurrences() {
        return occurrences;
    }

    /**
     * Goes to the next block that may have rows of use.
     *
     * @return false if there is none
     */
    private boolean nextBlock(Use use) throws IOException {
        while (next < WordCursor.END) {
            postings.advanceShallow(next);
            Impacts impacts = postings.getImpacts();
            end = after(impacts, 0);
            if (isUseful(use, impacts, 0)) {
                return true;
            }
            for (int level = 1; level < impacts.numLevels(); level++) {
                if (isUseful(use, impacts, level)) {
                    break;
                }
                end = after(impacts, level);
            }
            next = end;
        }
        return false;
    }

    private static int after(Impacts impacts, int level) {
        int last = impacts.getDocIdUpTo(level);
        return last == WordCursor.END ? WordCursor.END : last + 1;
    }

    private boolean isUseful(Use use, Impacts impacts, int level) {
        best.set(0, impacts.getImpacts(level));
        return use.isUseful(best);
    }

    /**
     * Reads the next live rows that may be of use.
     *
     * @return their number; -1 after the last
     */
    public int read(Use use, LiveRows live) {
        try {
            if (next >= end && !nextBlock(use)) {
                return -1;
            }
            if (postings.docID() < next) {
                postings.advance(next);
            }
            postings.nextPostings(end, batch);
            next = batch.size == 0 ? end : postings.docID();
            if (rows.length < batch.size) {
                rows = new int[batch.size];
                occurrences = new int[batch.size];
            }
            int count = 0;
            for (int i = 0; i < batch.size; i++) {
                rows[count] = batch.docs[i];
                occurrences[count] = occurrences(i);
                count += live.has(batch.docs[i]) ? 1 : 0;
            }
            return count;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the end of the block of the next rows, and sets their pairs. */
    int shallowEnd(int row, int number, BestPairs into) {
        return shallowEnd(row, false, number, into);
    }

    /**
     * Returns the end of the block of the next rows, and sets their pairs.
     *
     * @param isFar whether as many blocks as possible are taken together
     */
    int shallowEnd(int row, boolean isFar, int number, BestPairs into) {
        try {
            // There is no row between the two.
            postings.advanceShallow(Math.max(row, postings.docID()));
            Impacts impacts = postings.getImpacts();
            int level = isFar ? impacts.numLevels() - 1 : 0;
            into.set(number, impacts.getImpacts(level));
            return after(impacts, level);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the end of rows that are all without the word, or the end of one row that has it, and
     * sets their pairs.
     */
    int rareEnd(int row, int number, BestPairs into) {
        try {
            if (postings.docID() < row) {
                postings.advance(row);
            }
            if (postings.docID() > row) {
                into.clear(number);
                return postings.docID();
            }
            postings.advanceShallow(row);
            into.set(number, postings.getImpacts().getImpacts(0));
            return row + 1;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads all rows of a range, dead ones too; their number is {@link #size()}. */
    void read(int from, int to) {
        try {
            size = 0;
            if (postings.docID() < from) {
                postings.advance(from);
            }
            while (postings.docID() < to) {
                postings.nextPostings(to, batch);
                if (rows.length < size + batch.size) {
                    int length = Math.max(2 * rows.length, size + batch.size);
                    rows = Arrays.copyOf(rows, length);
                    occurrences = Arrays.copyOf(occurrences, length);
                }
                for (int i = 0; i < batch.size; i++) {
                    rows[size] = batch.docs[i];
                    occurrences[size++] = occurrences(i);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns how many rows of a range were read last. */
    int size() {
        return size;
    }

    /**
     * Returns how often the word occurs in a row.
     *
     * @param row not before that of an earlier call
     */
    int occurrencesIn(int row) {
        try {
            if (postings.docID() < row) {
                postings.advance(row);
            }
            return postings.docID() == row ? postings.freq() : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Writes how often the word occurs in rows of a set that all have it.
     *
     * @param from the first row, not before that of an earlier call
     * @param to the row after the last
     */
    void read(FixedBitSet set, int from, int to, int[] into) {
        try {
            if (postings.docID() < from) {
                postings.advance(from);
            }
            int count = 0;
            while (postings.docID() < to) {
                postings.nextPostings(to, batch);
                for (int i = 0; i < batch.size; i++) {
                    if (set.get(batch.docs[i])) {
                        into[count++] = occurrences(i);
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int occurrences(int index) {
        float cached = batch.features[index];
        if (cached < EXACT_MAX) {
            return (int) cached;
        }
        WordCursor cursor = word.cursor();
        cursor.advance(batch.docs[index]);
        return cursor.frequency();
    }
}
