package org.crabro.content.storage.integrity;

import java.util.List;

/**
 * Summary of a block of a run.
 *
 * @param origin the run of the block, and its number there
 * @param type the document type of the rows
 * @param offset where the block starts in the file
 * @param bytes the length of the block
 * @param rows the number of rows
 * @param chunks in the order of the directory
 */
public record BlockSummary(
        Origin origin, String type, long offset, int bytes, int rows, List<Chunk> chunks) {
    public BlockSummary {
        chunks = List.copyOf(chunks);
    }

    /**
     * The place of a block.
     *
     * @param partition the number of the partition
     * @param run the number of the run
     * @param block the number of the block in the run
     */
    public record Origin(int partition, long run, int block) {}

    /**
     * A chunk of a block.
     *
     * @param field the field of its values, empty if it has none
     * @param encoding of its values
     * @param bytes its length
     */
    public record Chunk(String field, String encoding, int bytes) {}
}
