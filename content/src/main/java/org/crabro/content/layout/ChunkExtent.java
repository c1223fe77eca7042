package org.crabro.content.layout;

/**
 * Where a part of a block lies.
 *
 * @param offset bytes from the block's start
 * @param length bytes
 */
public record ChunkExtent(Part part, long offset, long length) {
    /** What a chunk holds. */
    public enum Part {
        KEYS,
        TIMESTAMPS,
        TOMBSTONES,

        /** The values of a field, as they were fed. */
        VALUES,

        /** The different words of a searched text. */
        TOKEN_DICTIONARY,

        /** Which of them stand where. */
        TOKEN_NUMBERS,

        /** What the vectors of a field are multiplied by to become as long as 1. */
        INVERSE_LENGTHS
    }
}
