package org.crabro.content.storage.read;

import java.util.BitSet;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.file.BlockProjection;
import org.crabro.content.storage.file.Extents;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of a block that a projection selects. The result is reused for following blocks with
 * the same directory, which is the usual case. For one thread.
 */
public final class ChunkSelection {
    /** Up to this size, a block is checked whole, once, even if only some of its rows are read. */
    private static final long CHECKED_BYTES = 64 << 10;

    private final BlockProjection parts;
    private @Nullable EncodedBlock typical;
    private BitSet chunks = new BitSet();

    // Created at first use.
    private @Nullable Extents wanted;

    public ChunkSelection(BlockProjection parts) {
        this.parts = parts;
    }

    /** Returns the chunks of a block; not to be modified. */
    BitSet of(EncodedBlock block) {
        if (typical == null || !block.hasLayoutOf(typical)) {
            typical = block;
            chunks = block.chunksOf(parts);
        }
        return chunks;
    }

    /** Returns the size of the chunks for all rows of a block, in bytes. */
    public long byteSize(EncodedBlock block) {
        return block.byteSize(of(block));
    }

    /**
     * Returns whether the chunks are in memory and checked, for the rows of a block that are read.
     * Chunks in memory that were never checked are checked now, unless they are long.
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
