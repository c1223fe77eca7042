package org.crabro.content.parent;

import org.crabro.content.block.EncodedBlock;
import org.crabro.content.block.TypedColumns;
import org.crabro.content.block.column.Column;
import org.crabro.document.Field;
import org.jspecify.annotations.Nullable;

/** A block with rows of parents, and its columns that a search reads. Safe for many threads. */
final class ParentBlock {
    private final EncodedBlock block;

    // By number of the field; threads that race write equal ones.
    private final @Nullable Column[] columns;
    private final boolean[] known;

    /**
     * @param sources the number of fields of parents that the search may read
     */
    ParentBlock(EncodedBlock block, int sources) {
        this.block = block;
        this.columns = new Column[sources];
        this.known = new boolean[sources];
    }

    /** Returns the type of the documents. */
    String type() {
        return block.documentType().name();
    }

    /** Returns the column of a field; null if no row has a value. */
    @Nullable Column column(int source, Field field) {
        Column column = columns[source];
        if (column == null && !known[source]) {
            column = TypedColumns.column(block, field).orElse(null);
            columns[source] = column;
            known[source] = true;
        }
        return column;
    }
}
