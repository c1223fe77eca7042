package org.crabro.content.storage.index;

import org.apache.lucene.util.FixedBitSet;

/** The live rows that have all of several common words. */
public final class JoinedWords extends SeveralWords {
    private final FixedBitSet matching;
    private int next;

    /**
     * @param words that all rows have
     * @param blocks of these words
     * @param matching the live rows, one bit per row
     */
    JoinedWords(IndexedWord[] words, WordBlocks[] blocks, FixedBitSet matching) {
        super(words, blocks);
        this.matching = matching;
    }

    @Override
    public int count() {
        return matching.cardinality();
    }

    @Override
    public int read(WordBlocks.Use use) {
        while (next < matching.length()) {
            int from = matching.nextSetBit(next);
            if (from == WordCursor.END) {
                break;
            }
            int to = Math.min(matching.length(), from + ROWS_MAX);
            for (int word = 0; word < blocks.length; word++) {
                to = Math.min(to, blocks[word].shallowEnd(from, word, best));
            }
            next = to;
            if (use.isUseful(best)) {
                for (int word = 0; word < blocks.length; word++) {
                    blocks[word].read(matching, from, to, occurrences[word]);
                }
                return matching.intoArray(from, to, 0, rows);
            }
        }
        next = matching.length();
        return 0;
    }
}
