package org.crabro.content.layout;

import java.lang.foreign.MemorySegment;

/**
 * The pages of a file that a block has parts of, numbered from the one that it starts in: what its
 * page crcs cover.
 *
 * @param bytes the block
 * @param offset of the block in the file
 * @param headerSize up to where the header's own crc reaches
 */
public record BlockPages(MemorySegment bytes, long offset, int headerSize) {
    /** Returns the pages of a block whose header was checked. */
    public static BlockPages of(MemorySegment bytes, long offset) {
        int chunks = bytes.get(BlockLayout.INT, BlockLayout.CHUNK_COUNT_OFFSET);
        int pages = BlockLayout.pages(offset, bytes.byteSize());
        return new BlockPages(bytes, offset, BlockLayout.headerSize(chunks, pages));
    }

    public int count() {
        return BlockLayout.pages(offset, bytes.byteSize());
    }

    /** Returns the page of a place in the file, which the block has a part of. */
    public int page(long fileOffset) {
        return (int) (fileOffset / BlockLayout.PAGE - offset / BlockLayout.PAGE);
    }

    /** Returns where the part of a page starts in the block. */
    public long from(int page) {
        return Math.max(headerSize, start(page));
    }

    /**
     * Returns where the part of a page ends in the block; not behind its start where it has none.
     */
    public long to(int page) {
        return Math.min(bytes.byteSize(), start(page + 1));
    }

    private long start(int page) {
        return (offset / BlockLayout.PAGE + page) * BlockLayout.PAGE - offset;
    }

    /** Returns the crc of the part of a page as it is. */
    public int crc(int page) {
        long from = from(page);
        return BlockLayout.crc(bytes.asSlice(from, Math.max(0, to(page) - from)));
    }

    /** Returns the crc of the part of a page as the block has it written. */
    public int expectedCrc(int page) {
        return bytes.get(BlockLayout.INT, headerSize - (count() - page) * (long) Integer.BYTES);
    }
}
