package org.crabro.content.storage.block;

import java.util.List;
import org.crabro.content.storage.file.BlockProjection;
import org.crabro.content.storage.layout.ChunkExtent;

/**
 * The sizes of the chunks of one block. Blocks of the same section have similar sizes, so they
 * estimate how much of another block a query reads.
 *
 * @param size bytes of the block
 */
public record BlockSizeEstimate(List<Chunk> chunks, long size) {
    /**
     * A chunk of the block.
     *
     * @param field its name, empty if the chunk has no field
     * @param hasDictionary whether the words of the field are stored in addition to its values
     */
    record Chunk(ChunkExtent.Part part, String field, boolean hasDictionary, long length) {}

    public BlockSizeEstimate {
        chunks = List.copyOf(chunks);
    }

    public static BlockSizeEstimate of(EncodedBlock block) {
        return new BlockSizeEstimate(block.chunks(), block.byteSize());
    }

    /** Returns the share of the block's bytes in {@code parts}, 0 to 1. */
    public double share(BlockProjection parts) {
        long bytes = 0;
        for (int i = 0; i < chunks.size(); i++) {
            Chunk chunk = chunks.get(i);
            if (parts.has(chunk.part(), chunk.field(), chunk.hasDictionary())) {
                bytes += chunk.length();
            }
        }
        return (double) bytes / size;
    }
}
