package org.crabro.content.storage.block;

import java.lang.foreign.MemorySegment;
import org.crabro.content.storage.layout.BlockBytes;
import org.crabro.content.storage.layout.BlockLayout;
import org.crabro.content.storage.layout.BlockPages;
import org.crabro.content.storage.layout.ChunkEncoding;
import org.crabro.content.storage.layout.EntryBounds;
import org.crabro.content.storage.layout.LongSequence;

/**
 * Writes the chunks of a block one after another, and their directory entries and page crcs. {@link
 * BlockLayout} describes the positions. The page crcs come first, so all lengths are planned before
 * the first chunk is written.
 *
 * {@snippet :
 * chunks.plan(values.position());
 * chunks.begin(offset);
 * BlockBytes out = chunks.beginChunk(values.position());
 * out.put(values);
 * chunks.endChunk(ChunkEncoding.INT, field, false, bounds);
 * chunks.end();
 * }
 */
final class BlockChunks {
    private final BlockBytes out;
    private final LongSequence planned = new LongSequence();
    private int written;
    private int start;
    private int length;
    private long offset;
    private int pages;

    BlockChunks(BlockBytes out) {
        this.out = out;
    }

    /**
     * Plans a chunk after those planned before.
     *
     * @param chunkLength its bytes, including the bitmap
     */
    void plan(long chunkLength) {
        planned.add(chunkLength);
    }

    /**
     * Begins a block of the planned chunks.
     *
     * @param blockOffset its offset in its file
     */
    void begin(long blockOffset) {
        offset = blockOffset;
        // A longer header may extend the block by one page, and that makes the header longer.
        pages = 0;
        int needed = 1;
        while (needed > pages) {
            pages = needed;
            needed = BlockLayout.pages(offset, plannedLength());
        }
        written = 0;
        out.clear();
        out.reserve(Math.toIntExact(plannedLength()));
        out.putZeros(headerSize());
    }

    private int headerSize() {
        return BlockLayout.headerSize(planned.count(), pages);
    }

    private long plannedLength() {
        long end = headerSize();
        for (int i = 0; i < planned.count(); i++) {
            int chunk = Math.toIntExact(planned.get(i));
            end = aligned(end, BlockLayout.alignment(chunk)) + chunk;
        }
        return aligned(end, BlockLayout.ALIGNMENT);
    }

    private static long aligned(long at, int alignment) {
        return at + alignment - 1 & -alignment;
    }

    /**
     * Begins the next chunk.
     *
     * @param chunkLength its bytes, including the bitmap
     * @return the buffer for its bytes
     */
    BlockBytes beginChunk(long chunkLength) {
        assert chunkLength == planned.get(written) : written;
        length = Math.toIntExact(chunkLength);
        out.align(BlockLayout.alignment(length));
        start = out.position();
        return out;
    }

    /** Ends a chunk whose values are not numbers. */
    void endChunk(ChunkEncoding encoding, int field, boolean hasBitmap) {
        endChunk(encoding, field, hasBitmap, EntryBounds.NONE);
    }

    /**
     * Ends a chunk.
     *
     * @param field its index in the type, or {@link BlockLayout#NO_FIELD}
     * @param hasBitmap whether a bitmap follows the values
     */
    void endChunk(ChunkEncoding encoding, int field, boolean hasBitmap, EntryBounds bounds) {
        assert out.position() == start + length : encoding;
        int entry = BlockLayout.entry(written);
        out.setByte(entry + BlockLayout.ENCODING_OFFSET, encoding.code());
        out.setByte(entry + BlockLayout.FLAGS_OFFSET, hasBitmap ? BlockLayout.BITMAP_FLAG : 0);
        out.setShort(entry + BlockLayout.FIELD_OFFSET, field);
        out.setInt(entry + BlockLayout.CHUNK_OFFSET, start);
        out.setInt(entry + BlockLayout.CHUNK_LENGTH, length);
        out.setLong(entry + BlockLayout.CHUNK_MIN, bounds.min());
        out.setLong(entry + BlockLayout.CHUNK_MAX, bounds.max());
        written++;
    }

    /**
     * Ends the block; its header is still to be written.
     *
     * @return the number of its chunks
     */
    int end() {
        int count = planned.count();
        assert written == count;
        out.align(BlockLayout.ALIGNMENT);
        assert BlockLayout.pages(offset, out.position()) == pages : pages;
        var block = new BlockPages(MemorySegment.ofBuffer(out.written()), offset, headerSize());
        for (int page = 0; page < pages; page++) {
            out.setInt(BlockLayout.pageCrc(count, page), block.crc(page));
        }
        planned.clear();
        return count;
    }
}
