package org.crabro.content.search.parent;

import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.TypedColumns;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.document.Field;
import org.jspecify.annotations.Nullable;

/**
 * Finds the values of fields of single rows: in the columns of their block, or in those of the
 * block of a parent. Copies nothing. For one thread.
 */
public final class RowValues {
    private final Parents parents;
    private final WorkMeter work;
    private @Nullable ParentFinder finder;
    private @Nullable Column column;
    private int row;

    /**
     * @param work counts the work of finding parents, and may stop it
     */
    public RowValues(Parents parents, WorkMeter work) {
        this.parents = parents;
        this.work = work;
    }

    /**
     * Moves to the value of a field.
     *
     * @return this
     */
    public RowValues at(EncodedBlock block, int ofRow, Field field) {
        ImportPath path = parents.path(field.name());
        if (path == null) {
            column = TypedColumns.column(block, field).orElse(null);
            row = ofRow;
            return this;
        }
        column = null;
        row = ofRow;
        Column references = TypedColumns.column(block, path.reference()).orElse(null);
        if (references instanceof Column.Texts texts && texts.presence().has(ofRow)) {
            ParentRow end = finder().end(finder().parent(texts, ofRow, path.target()), path);
            column = ParentFinder.value(end, path);
            row = end.row();
        }
        return this;
    }

    private ParentFinder finder() {
        ParentFinder cached = finder;
        if (cached == null) {
            cached = new ParentFinder(parents, work);
            finder = cached;
        }
        return cached;
    }

    /** Returns the column that contains the value; null if no row of it has one. */
    public @Nullable Column column() {
        return column;
    }

    /** Returns the index of the value in {@link #column()}. The row may have no value. */
    public int row() {
        return row;
    }
}
