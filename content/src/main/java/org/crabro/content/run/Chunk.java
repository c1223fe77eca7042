package org.crabro.content.run;

/** One column of a block about to be written. */
interface Chunk {
    ChunkEncoding encoding();

    /** Returns the index of the field in the type, or {@link BlockLayout#NO_FIELD}. */
    int field();

    /** Returns which rows have a value. */
    ChunkPresence presence();

    /** Returns the bytes that {@link #writeTo} writes: the values without the bitmap. */
    int size();

    void writeTo(BlockBytes out);
}
