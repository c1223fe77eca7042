package org.crabro.content.storage.block;

import org.crabro.content.storage.file.CheckedBits;
import org.crabro.content.storage.layout.BlockLayout;
import org.crabro.content.storage.layout.ChunkEncoding;
import org.crabro.document.DocumentType;

/**
 * The parts and pages of a block that were checked since its file was mapped. Part 0 is the header,
 * part {@code 1 + i} the inner structure of the chunk of directory entry {@code i}. Pages have the
 * numbers of {@link BlockPages}.
 *
 * @param parts the parts of all blocks
 * @param firstPart the first part of this block
 * @param pages the pages of all blocks
 * @param firstPage the first page of this block
 */
public record BlockMarks(CheckedBits parts, int firstPart, CheckedBits pages, int firstPage) {
    /** Returns empty marks for a single block. */
    static BlockMarks none(DocumentType type, long offset, long length) {
        return new BlockMarks(
                new CheckedBits(parts(type)),
                0,
                new CheckedBits(BlockLayout.pages(offset, length)),
                0);
    }

    /** Returns the maximum number of parts of a block. */
    public static int parts(DocumentType type) {
        return 1 + chunksMax(type);
    }

    /** Returns the maximum number of chunks of a block. */
    public static int chunksMax(DocumentType type) {
        return 4 + ChunkEncoding.PER_FIELD_MAX * type.fields().size();
    }

    /**
     * Returns marks for the pages of all blocks of a file. A page that two blocks share has a mark
     * for each.
     *
     * @param bytes the size of the file
     */
    public static CheckedBits pages(long bytes, int blocks) {
        return new CheckedBits(bytes / BlockLayout.PAGE + 1 + blocks);
    }

    /**
     * Returns the first page of a block among the pages of all blocks.
     *
     * @param offset of the block in the file
     * @param block its number in the file
     */
    public static int firstPage(long offset, int block) {
        return (int) (offset / BlockLayout.PAGE) + block;
    }

    /** Returns an object that identifies the block among the blocks of all files. */
    Object place() {
        return new Place(parts, firstPart);
    }

    /**
     * @param parts one object per document type of a mapped file, never shared between files
     */
    private record Place(CheckedBits parts, int firstPart) {}

    boolean hasPart(int part) {
        return parts.has(firstPart + part);
    }

    void setPart(int part) {
        parts.set(firstPart + part);
    }

    boolean hasPage(int page) {
        return pages.has(firstPage + page);
    }

    void setPage(int page) {
        pages.set(firstPage + page);
    }
}
