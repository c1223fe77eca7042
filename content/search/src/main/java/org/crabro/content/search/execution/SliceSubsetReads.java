package org.crabro.content.search.execution;

import java.util.BitSet;
import org.crabro.content.search.match.TopK;
import org.crabro.content.storage.file.BlockProjection;
import org.crabro.content.storage.read.ReadPlan;

/**
 * The reads of a pass over those slices that contain given rows.
 *
 * @param all the parts of blocks that the pass reads
 * @param wanted the indexes of the slices
 */
record SliceSubsetReads(BlockProjection all, BitSet wanted) implements ReadPlan {
    static SliceSubsetReads of(BlockProjection all, Iterable<TopK> rows) {
        var wanted = new BitSet();
        for (TopK some : rows) {
            for (int i = 0; i < some.size(); i++) {
                wanted.set(some.slice(i));
            }
        }
        return new SliceSubsetReads(all, wanted);
    }

    @Override
    public BlockProjection deciding() {
        return BlockProjection.NONE;
    }

    @Override
    public boolean isWanted(int slice) {
        return wanted.get(slice);
    }

    @Override
    public boolean mayMatch(int slice) {
        return wanted.get(slice);
    }
}
