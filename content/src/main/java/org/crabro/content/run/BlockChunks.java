package org.crabro.content.run;

/**
 * Writes the chunks of a block one behind another, and what its directory tells of them. Where a
 * chunk and its entry lie is told in {@link BlockLayout}.
 *
 * {@snippet :
 * chunks.begin(1);
 * BlockBytes out = chunks.beginChunk(values.position());
 * out.put(values);
 * chunks.endChunk(ChunkEncoding.INT, field, false, bounds);
 * }
 */
final class BlockChunks {
    private final BlockBytes out;
    private int count;
    private int written;
    private int start;
    private int length;

    BlockChunks(BlockBytes out) {
        this.out = out;
    }

    /** Begins a block of {@code chunkCount} chunks. */
    void begin(int chunkCount) {
        count = chunkCount;
        written = 0;
        out.clear();
        out.putZeros(BlockLayout.entry(chunkCount));
    }

    /**
     * Begins a chunk.
     *
     * @param chunkLength its bytes, with the bitmap
     * @return what they are to be written to
     */
    BlockBytes beginChunk(long chunkLength) {
        length = Math.toIntExact(chunkLength);
        out.align(BlockLayout.alignment(length));
        start = out.position();
        return out;
    }

    /** Ends a chunk without numbers. */
    void endChunk(ChunkEncoding encoding, int field, boolean hasBitmap) {
        endChunk(encoding, field, hasBitmap, EntryBounds.NONE);
    }

    /**
     * Ends a chunk.
     *
     * @param field its index in the type, or {@link BlockLayout#NO_FIELD}
     * @param hasBitmap whether one follows the values
     */
    void endChunk(ChunkEncoding encoding, int field, boolean hasBitmap, EntryBounds bounds) {
        assert out.position() == start + length : encoding;
        int entry = BlockLayout.entry(written);
        out.setByte(entry + BlockLayout.ENCODING_OFFSET, encoding.code());
        out.setByte(entry + BlockLayout.FLAGS_OFFSET, hasBitmap ? BlockLayout.BITMAP_FLAG : 0);
        out.setShort(entry + BlockLayout.FIELD_OFFSET, field);
        out.setInt(entry + BlockLayout.CHUNK_OFFSET, start);
        out.setInt(entry + BlockLayout.CHUNK_LENGTH, length);
        out.setInt(entry + BlockLayout.CHUNK_CRC, out.crc(start, out.position()));
        out.setLong(entry + BlockLayout.CHUNK_MIN, bounds.min());
        out.setLong(entry + BlockLayout.CHUNK_MAX, bounds.max());
        written++;
    }

    /** Ends the block. */
    void end() {
        assert written == count;
        out.align(BlockLayout.ALIGNMENT);
    }
}
