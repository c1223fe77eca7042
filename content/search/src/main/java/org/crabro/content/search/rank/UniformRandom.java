package org.crabro.content.search.rank;

import org.crabro.content.search.match.BlockScan;
import org.crabro.content.storage.block.EncodedBlock;

/**
 * A random number from 0 to 1.
 *
 * @param seed determines the number, together with the document
 * @param match whether a document has the same number in each query, even after it was written
 *     again
 */
record UniformRandom(long seed, boolean match) implements FeatureSource {
    @Override
    public void read(BlockScan scan, int[] rows, int count, double[] into) {
        EncodedBlock block = scan.slice().block();
        for (int i = 0; i < count; i++) {
            long own = match ? hash(block.id(rows[i]).toString()) : block.timestamp(rows[i]);
            into[i] = (double) (mixed(own + mixed(seed)) >>> 11) * 0x1p-53;
        }
    }

    static long hash(String text) {
        long hash = 0;
        for (int i = 0; i < text.length(); i++) {
            hash = mixed(hash + text.charAt(i));
        }
        return hash;
    }

    /** Returns a hash of a number in which each bit depends on all bits of the number. */
    private static long mixed(long number) {
        long mixed = number + 0x9e37_79b9_7f4a_7c15L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xbf58_476d_1ce4_e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d0_49bb_1331_11ebL;
        return mixed ^ (mixed >>> 31);
    }
}
