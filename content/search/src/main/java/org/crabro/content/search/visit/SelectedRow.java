package org.crabro.content.search.visit;

import java.util.Optional;
import org.crabro.content.storage.block.ColumnValues;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.document.select.SelectedDocument;
import org.jspecify.annotations.Nullable;

/**
 * The row that a selection tests. Only the fields that the selection uses are decoded. For one
 * thread.
 */
final class SelectedRow implements SelectedDocument {
    private final ColumnValues values = new ColumnValues();
    private @Nullable OpenBlock rows;
    private int row;
    private @Nullable DocumentId id;

    /** Moves to a row. */
    SelectedRow at(OpenBlock newRows, int newRow) {
        rows = newRows;
        row = newRow;
        id = null;
        return this;
    }

    private OpenBlock rows() {
        if (rows == null) {
            throw new IllegalStateException("at no row");
        }
        return rows;
    }

    @Override
    public DocumentId id() {
        DocumentId cached = id;
        if (cached == null) {
            cached = rows().block().id(row);
            id = cached;
        }
        return cached;
    }

    @Override
    public Optional<FieldValue> value(String field) {
        return rows().column(field).flatMap(column -> values.value(column, row));
    }
}
