package org.crabro.content.storage.layout;

/**
 * The position of a part of a block.
 *
 * @param offset bytes from the block's start
 * @param length bytes
 */
public record ChunkExtent(Part part, long offset, long length) {
    /** The content of a chunk. */
    public enum Part {
        KEYS,
        TIMESTAMPS,
        TOMBSTONES,

        /** The values of a field, as they were fed. */
        VALUES,

        /** The distinct words of a searched text. */
        TOKEN_DICTIONARY,

        /** The token numbers of the words, in the order of the text. */
        TOKEN_NUMBERS,

        /** The factors that scale the vectors of a field to length 1. */
        INVERSE_LENGTHS
    }
}
