package org.crabro.content.storage.layout;

import java.lang.foreign.MemorySegment;

/**
 * The pages of a file that a block covers, at least partly, numbered from the page in which it
 * starts. Each has a page crc.
 *
 * @param bytes the block
 * @param offset of the block in the file
 * @param headerSize the end of the bytes that the header's own crc covers
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

    /** Returns the page of an offset in the file within the block. */
    public int page(long fileOffset) {
        return (int) (fileOffset / BlockLayout.PAGE - offset / BlockLayout.PAGE);
    }

    /** Returns the start in the block of the part of a page. */
    public long from(int page) {
        return Math.max(headerSize, start(page));
    }

    /**
     * Returns the end in the block of the part of a page; not after its start if the part is empty.
     */
    public long to(int page) {
        return Math.min(bytes.byteSize(), start(page + 1));
    }

    private long start(int page) {
        return (offset / BlockLayout.PAGE + page) * BlockLayout.PAGE - offset;
    }

    /** Returns the computed crc of the part of a page. */
    public int crc(int page) {
        long from = from(page);
        return BlockLayout.crc(bytes.asSlice(from, Math.max(0, to(page) - from)));
    }

    /** Returns the stored crc of the part of a page. */
    public int expectedCrc(int page) {
        return bytes.get(BlockLayout.INT, headerSize - (count() - page) * (long) Integer.BYTES);
    }
}
