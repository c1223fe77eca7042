package org.crabro.content.storage.run;

import static org.crabro.content.storage.layout.BlockLayout.INT;

import java.lang.foreign.MemorySegment;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.file.RunBytes;
import org.crabro.content.storage.layout.BlockBytes;
import org.crabro.content.storage.layout.LongSequence;

/**
 * Excludes most documents that a run does not contain, from one cache line: a Bloom filter in
 * blocks of 32 bytes. A document selects a block, and a bit in each of its eight words. A document
 * in the run is never excluded.
 *
 * <p>With ten bits per document, about one in a hundred absent documents is not excluded.
 */
public final class RunFilter {
    private static final int BITS_PER_DOCUMENT = 10;
    private static final int BLOCK_BYTES = 32;
    private static final int PAGE = 4_096;
    private static final int WORDS = BLOCK_BYTES / Integer.BYTES;

    /** Odd numbers, one per word: the upper five bits of the product select the bit. */
    private static final int[] MULTIPLIERS = {
        0x9e3779b1,
        0x85ebca77,
        0xc2b2ae3d,
        0x27d4eb2f,
        0x165667b1,
        0xd3a2646d,
        0xfd7046c5,
        0xb55a4f09
    };

    private final RunBytes run;
    private final MemorySegment bytes;
    private final long blocks;

    /**
     * @param run the run of the filter
     * @param bytes in the run, as {@link #of} made them
     */
    RunFilter(RunBytes run, MemorySegment bytes) {
        this.run = run;
        this.bytes = bytes;
        this.blocks = bytes.byteSize() / BLOCK_BYTES;
    }

    /** Returns the bytes of a filter of the documents with the {@link #hash hashes}. */
    static BlockBytes of(LongSequence hashes) {
        long blocks = 1 + (long) hashes.count() * BITS_PER_DOCUMENT / (BLOCK_BYTES * Byte.SIZE);
        var words = new int[Math.toIntExact(blocks * WORDS)];
        for (int i = 0; i < hashes.count(); i++) {
            long hash = hashes.get(i);
            int first = (int) block(hash, blocks) * WORDS;
            for (int word = 0; word < WORDS; word++) {
                words[first + word] |= 1 << bit((int) hash, word);
            }
        }
        var out = new BlockBytes(words.length * Integer.BYTES);
        for (int word : words) {
            out.putInt(word);
        }
        return out;
    }

    /** Returns the hash of a document from the place and document part of its key. */
    static long hash(long place, long document) {
        long hash = (place ^ Long.rotateLeft(document, 29)) * 0x9e37_79b9_7f4a_7c15L;
        hash = (hash ^ (hash >>> 32) ^ document) * 0xd6e8_feb8_6659_fd93L;
        return hash ^ (hash >>> 32);
    }

    private static long block(long hash, long blocks) {
        return Math.unsignedMultiplyHigh(hash, blocks);
    }

    private static int bit(int hash, int word) {
        return (hash * MULTIPLIERS[word]) >>> 27;
    }

    /**
     * Returns whether the document with {@code hash} may be in the run.
     *
     * @param reads counts the bytes read from the device
     */
    boolean mayHave(long hash, ReadContext reads) {
        run.load(bytes.asSlice(block(hash, blocks) * BLOCK_BYTES, BLOCK_BYTES), reads);
        return mayHave(hash);
    }

    /**
     * Finds the documents that may be in the run.
     *
     * @param hashes of {@code count} documents
     * @param rows receives the ascending indexes of the documents that may be in the run
     * @param reads counts the bytes read from the device
     * @return the number of these documents
     */
    int mayHave(long[] hashes, int count, int[] rows, ReadContext reads) {
        // This many lookups would touch most pages, one after another.
        boolean isLoadedWhole = Math.ceilDiv(bytes.byteSize(), PAGE) <= count;
        if (isLoadedWhole) {
            run.load(bytes, reads);
        }
        int likely = 0;
        for (int i = 0; i < count; i++) {
            if (isLoadedWhole ? mayHave(hashes[i]) : mayHave(hashes[i], reads)) {
                rows[likely++] = i;
            }
        }
        return likely;
    }

    private boolean mayHave(long hash) {
        long block = block(hash, blocks) * BLOCK_BYTES;
        for (int word = 0; word < WORDS; word++) {
            int bits = bytes.get(INT, block + (long) word * Integer.BYTES);
            if ((bits >>> bit((int) hash, word) & 1) == 0) {
                return false;
            }
        }
        return true;
    }
}
