package org.crabro.content.block;

import org.crabro.content.file.CheckedBits;
import org.crabro.content.layout.BlockLayout;
import org.crabro.content.layout.ChunkEncoding;
import org.crabro.document.DocumentType;

/**
 * What of a block was checked since its file was mapped: its parts, 0 the header and {@code 1 + i}
 * what the chunk of directory entry {@code i} says of itself, and its pages, by number as {@link
 * BlockPages} counts them.
 *
 * @param parts those of other blocks too
 * @param firstPart where those of this block begin
 * @param pages those of other blocks too
 * @param firstPage where those of this block begin
 */
public record BlockMarks(CheckedBits parts, int firstPart, CheckedBits pages, int firstPage) {
    /** Returns that nothing was checked yet of a block that is looked at by itself. */
    static BlockMarks none(DocumentType type, long offset, long length) {
        return new BlockMarks(
                new CheckedBits(parts(type)),
                0,
                new CheckedBits(BlockLayout.pages(offset, length)),
                0);
    }

    /** Returns how many parts a block has at most. */
    public static int parts(DocumentType type) {
        return 1 + chunksMax(type);
    }

    /** Returns how many chunks a block has at most. */
    public static int chunksMax(DocumentType type) {
        return 4 + ChunkEncoding.PER_FIELD_MAX * type.fields().size();
    }

    /**
     * Returns notes for the pages of all blocks of a file. A page in which a block ends and the
     * next begins is noted for either.
     *
     * @param bytes of the file
     */
    public static CheckedBits pages(long bytes, int blocks) {
        return new CheckedBits(bytes / BlockLayout.PAGE + 1 + blocks);
    }

    /**
     * Returns where the pages of a block begin among those of all blocks.
     *
     * @param offset of the block in the file
     * @param block its number in the file
     */
    public static int firstPage(long offset, int block) {
        return (int) (offset / BlockLayout.PAGE) + block;
    }

    /** Returns what tells the block from all others of this file and of others. */
    Object place() {
        return new Place(parts, firstPart);
    }

    /**
     * @param parts of the blocks of a type in a mapped file: no two have the same object
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
