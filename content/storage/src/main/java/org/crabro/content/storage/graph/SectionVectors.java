package org.crabro.content.storage.graph;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.column.Presence;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.index.SectionRows;
import org.crabro.ranking.kernel.DistanceMetric;
import org.crabro.ranking.kernel.StoredVectors;
import org.jspecify.annotations.Nullable;

/**
 * The vectors of a field in the rows of a section, numbered from 0 in the order of rows. Rows
 * without a vector have no number, and rows with several vectors have several. Thread-safe; valid
 * as long as the rows are.
 */
final class SectionVectors {
    private static final StoredVectors NONE = StoredVectors.of(MemorySegment.NULL);

    /** A search for the block of a vector begins at the block of every 64th vector. */
    private static final int STEP_BITS = 6;

    private final SectionRows rows;
    private final String field;
    private final boolean hasSeveral;
    private final boolean needsLengths;

    /** The number of the first row of each block. */
    private final int[] firstRows;

    /** The number of the first vector of each block, and of the end. */
    private final int[] firsts;

    private final int[] blocks;

    /** The row of each vector; null if every row has exactly one. */
    private final @Nullable MemorySegment rowTable;

    /** By block. Threads that race read the same columns. */
    private final @Nullable StoredVectors[] columns;

    /**
     * @param firsts the number of the first vector of each block, and of the end
     * @param rowTable the row of each vector; null if every row has exactly one
     */
    SectionVectors(
            SectionRows rows,
            String field,
            GraphField of,
            int[] firsts,
            @Nullable MemorySegment rowTable) {
        this.rows = rows;
        this.field = field;
        this.hasSeveral = of.hasSeveral();
        this.needsLengths = of.metric() == DistanceMetric.ANGULAR;
        this.firsts = firsts;
        this.rowTable = rowTable;
        this.firstRows = new int[rows.blockCount() + 1];
        for (int i = 0; i < rows.blockCount(); i++) {
            firstRows[i + 1] = firstRows[i] + rows.rowCount(i);
        }
        this.blocks = new int[(count() >> STEP_BITS) + 1];
        int block = 0;
        for (int i = 0; i < blocks.length; i++) {
            while (block < rows.blockCount() - 1 && firsts[block + 1] <= i << STEP_BITS) {
                block++;
            }
            blocks[i] = block;
        }
        this.columns = new @Nullable StoredVectors[rows.blockCount()];
    }

    /** Returns the number of vectors. */
    int count() {
        return firsts[firsts.length - 1];
    }

    /** Returns the number of rows, also of those without a vector. */
    int rowCount() {
        return firstRows[firstRows.length - 1];
    }

    /** Returns the row of a vector. */
    int row(int vector) {
        return rowTable == null
                ? vector
                : rowTable.get(GraphFileLayout.INT, (long) vector * Integer.BYTES);
    }

    /** Returns the first vector of a row or, if it has none, of the rows after it. */
    int first(int row) {
        if (rowTable == null) {
            return row;
        }
        int low = 0;
        int high = count();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (row(middle) < row) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Returns the block of a vector. */
    int block(int vector) {
        int block = blocks[vector >> STEP_BITS];
        while (vector >= firsts[block + 1]) {
            block++;
        }
        return block;
    }

    /** Returns the index of a vector in the column of its block. */
    int index(int vector, int block) {
        return hasSeveral ? vector - firsts[block] : row(vector) - firstRows[block];
    }

    /**
     * Returns the vectors of a block.
     *
     * @throws CorruptRunException if they are damaged
     */
    StoredVectors of(int block) {
        StoredVectors cached = columns[block];
        if (cached == null) {
            cached = read(block);
            columns[block] = cached;
        }
        return cached;
    }

    private StoredVectors read(int block) {
        EncodedBlock opened = rows.block(block);
        Column column = opened.column(field).orElse(null);
        if (column instanceof Column.DenseTensors dense) {
            return new StoredVectors(
                    dense.cells(), needsLengths ? opened.inverseLengths(field) : Optional.empty());
        }
        return column instanceof Column.MixedTensors mixed ? StoredVectors.of(mixed.cells()) : NONE;
    }

    /** Returns the number of vectors of a row. */
    static int count(@Nullable Column column, int row) {
        if (column instanceof Column.MixedTensors mixed) {
            return mixed.first(row + 1) - mixed.first(row);
        }
        return column instanceof Column.DenseTensors dense && dense.presence().has(row) ? 1 : 0;
    }

    /** Returns the number of vectors of a block. */
    static int count(EncodedBlock block, String field) {
        Column column = block.column(field).orElse(null);
        int count = 0;
        for (int row = 0; row < block.rowCount(); row++) {
            count += count(column, row);
        }
        return count;
    }

    /** Returns whether every row of a block has exactly one vector. */
    static boolean isPlain(EncodedBlock block, String field) {
        return block.column(field).orElse(null) instanceof Column.DenseTensors dense
                && dense.presence() instanceof Presence.Every;
    }
}
