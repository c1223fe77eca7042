package org.crabro.content.read;

import java.util.BitSet;
import org.crabro.content.block.EncodedBlock;
import org.crabro.content.file.BlockProjection;
import org.crabro.content.file.Extents;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of a block that a projection selects. The result is reused for following blocks with
 * the same directory, as nearly all have. For one thread.
 */
public final class ChunkSelection {
    /** Up to as many bytes are checked whole, once, where rows of them are read. */
    private static final long CHECKED_BYTES = 64 << 10;

    private final BlockProjection parts;
    private @Nullable EncodedBlock typical;
    private BitSet chunks = new BitSet();

    // Made when first asked for.
    private @Nullable Extents wanted;

    public ChunkSelection(BlockProjection parts) {
        this.parts = parts;
    }

    /** Returns the chunks of a block, which are not to be written to. */
    BitSet of(EncodedBlock block) {
        if (typical == null || !block.hasLayoutOf(typical)) {
            typical = block;
            chunks = block.chunksOf(parts);
        }
        return chunks;
    }

    /** Returns how many bytes they are of all rows of a block. */
    public long byteSize(EncodedBlock block) {
        return block.byteSize(of(block));
    }

    /**
     * Returns whether they are in memory, and checked, as far as rows of a block are read. What is
     * in memory, but was never checked, is now, unless it is long.
     */
    public boolean areInMemory(EncodedBlock block) {
        Extents told = wanted;
        if (told == null) {
            told = new Extents();
            wanted = told;
        }
        return block.has(of(block), told)
                || (byteSize(block) <= CHECKED_BYTES && block.check(of(block), told));
    }
}
