package org.crabro.content.integrity;

import java.util.List;

/**
 * What a block of a run holds.
 *
 * @param partition whose log it belongs to
 * @param run its number
 * @param block its number in the run
 * @param type what its rows are documents of
 * @param offset where it starts in the file
 * @param bytes its length
 * @param rows how many it has
 * @param chunks in the order of the directory
 */
public record BlockSummary(
        int partition,
        long run,
        int block,
        String type,
        long offset,
        int bytes,
        int rows,
        List<Chunk> chunks) {
    public BlockSummary {
        chunks = List.copyOf(chunks);
    }

    /**
     * A part of a block.
     *
     * @param field whose values it has, empty where it belongs to none
     * @param encoding how they lie
     * @param bytes its length
     */
    public record Chunk(String field, String encoding, int bytes) {}
}
