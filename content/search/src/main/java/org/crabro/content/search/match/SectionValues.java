package org.crabro.content.search.match;

import java.util.Arrays;
import java.util.Optional;
import org.crabro.content.storage.block.ColumnValues;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.index.SectionRows;
import org.crabro.document.FieldValue;
import org.jspecify.annotations.Nullable;

/**
 * Reads the single values of a field in the rows of a section, in any order. It opens a block once.
 * For one thread.
 */
final class SectionValues {
    private final SectionRows rows;
    private final String field;
    private final ColumnValues values = new ColumnValues();

    /** The number of the first row of each block. */
    private final int[] firstRows;

    private final @Nullable Column[] columns;
    private final boolean[] areOpen;

    SectionValues(SectionRows rows, String field) {
        this.rows = rows;
        this.field = field;
        this.firstRows = new int[rows.blockCount()];
        this.columns = new @Nullable Column[firstRows.length];
        this.areOpen = new boolean[firstRows.length];
        int next = 0;
        for (int block = 0; block < firstRows.length; block++) {
            firstRows[block] = next;
            next += rows.rowCount(block);
        }
    }

    /**
     * Returns the value of a row; empty if it has none.
     *
     * @throws CorruptRunException if the block of the row is damaged
     */
    Optional<FieldValue> value(int row) {
        int section = Arrays.binarySearch(firstRows, row);
        int block = section >= 0 ? section : -section - 2;
        return column(block)
                .flatMap(column -> values.value(column, row - firstRows[block]))
                .map(SectionValues::comparable);
    }

    /** Returns a value that equals that of the other zero, too. */
    private static FieldValue comparable(FieldValue value) {
        if (value instanceof FieldValue.FloatValue(float number)) {
            return new FieldValue.FloatValue(number + 0.0f);
        }
        return value instanceof FieldValue.DoubleValue(double number)
                ? new FieldValue.DoubleValue(number + 0.0)
                : value;
    }

    private Optional<Column> column(int block) {
        if (!areOpen[block]) {
            columns[block] = rows.block(block).column(field).orElse(null);
            areOpen[block] = true;
        }
        return Optional.ofNullable(columns[block]);
    }
}
