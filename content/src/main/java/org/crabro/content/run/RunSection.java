package org.crabro.content.run;

import static org.crabro.content.run.BlockLayout.INT;
import static org.crabro.content.run.BlockLayout.LONG;

import java.lang.foreign.MemorySegment;
import org.crabro.document.DocumentType;

/**
 * The blocks of one document type in a run, as the sparse index tells of them. Blocks are counted
 * from 0 here; the run's own numbers go on from {@link #firstBlock()}.
 */
final class RunSection {
    private final String file;
    private final MemorySegment run;
    private final DocumentType type;
    private final long fingerprint;
    private final int firstBlock;
    private final MemorySegment extents;
    private final KeyColumn firstKeys;
    // A byte per part of every block, as BlockOrigin tells.
    private final byte[] checked;

    /**
     * @param file the path, for errors
     * @param run the whole file
     * @param extents offset, length and row count of each block, as {@link RunLayout} tells
     */
    RunSection(
            String file,
            MemorySegment run,
            DocumentType type,
            long fingerprint,
            int firstBlock,
            MemorySegment extents,
            KeyColumn firstKeys) {
        this.file = file;
        this.run = run;
        this.type = type;
        this.fingerprint = fingerprint;
        this.firstBlock = firstBlock;
        this.extents = extents;
        this.firstKeys = firstKeys;
        this.checked = new byte[firstKeys.rows() * BlockOrigin.parts(type.fields().size())];
    }

    DocumentType type() {
        return type;
    }

    int firstBlock() {
        return firstBlock;
    }

    int blockCount() {
        return firstKeys.rows();
    }

    int rowCount(int block) {
        return extents.get(INT, extent(block) + RunLayout.EXTENT_ROWS);
    }

    /** Returns how long a block is. */
    int byteCount(int block) {
        return extents.get(INT, extent(block) + RunLayout.EXTENT_LENGTH);
    }

    /** Returns the place of the first row of a block. */
    long firstPlace(int block) {
        return firstKeys.place(block);
    }

    /** Returns the address, in the run, of the first row whose place is not below {@code place}. */
    long firstNotBelow(long place) {
        int block = firstKeys.firstNotBelow(place);
        if (block == 0) {
            return RunLayout.address(firstBlock, 0);
        }
        int row = block(block - 1).keys().firstNotBelow(place);
        return row == rowCount(block - 1)
                ? RunLayout.address(firstBlock + block, 0)
                : RunLayout.address(firstBlock + block - 1, row);
    }

    /** Returns the address, in the run, of the first row whose place is above {@code place}. */
    long firstAbove(long place) {
        return place == RunEntry.LAST
                ? RunLayout.address(firstBlock + blockCount(), 0)
                : firstNotBelow(place + 1);
    }

    /** Returns where a block starts in the file. */
    long offset(int block) {
        return extents.get(LONG, extent(block) + RunLayout.EXTENT_OFFSET);
    }

    /** Returns the first key of each block, as the index has it. */
    KeyColumn firstKeys() {
        return firstKeys;
    }

    long fingerprint() {
        return fingerprint;
    }

    /**
     * @throws CorruptRunException if the block's header is not as it was written
     */
    EncodedBlock block(int block) {
        long offset = offset(block);
        int length = byteCount(block);
        int first = block * BlockOrigin.parts(type.fields().size());
        return EncodedBlock.open(
                run.asSlice(offset, length),
                type,
                fingerprint,
                rowCount(block),
                BlockOrigin.file(file, offset, checked, first));
    }

    /** Returns the block that holds {@code key} if one does, or -1. */
    int lastNotBehind(SortKey key) {
        int block = firstKeys.firstNotBefore(0, key);
        boolean isFirst = block < blockCount() && firstKeys.compare(block, key) == 0;
        return isFirst ? block : block - 1;
    }

    /**
     * Returns the block, from {@code from} on, that holds the key of a row of {@code younger} if
     * one does, or -1.
     */
    int lastNotBehind(int from, KeyColumn younger, int row) {
        int block = firstKeys.firstNotBefore(from, younger, row);
        boolean isFirst = block < blockCount() && firstKeys.compare(block, younger, row) == 0;
        return isFirst ? block : block - 1;
    }

    /** Returns the first block that may hold rows of the range. */
    int from(KeyBounds bounds) {
        return Math.max(0, firstKeys.from(bounds) - 1);
    }

    /** Returns the block behind the last that may hold rows of the range. */
    int to(KeyBounds bounds) {
        return firstKeys.to(bounds);
    }

    private static long extent(int block) {
        return (long) block * RunLayout.EXTENT_SIZE;
    }
}
