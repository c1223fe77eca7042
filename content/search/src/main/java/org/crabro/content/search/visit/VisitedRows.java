package org.crabro.content.search.visit;

import java.util.List;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.TypedColumns;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.content.storage.run.RowCursor;
import org.crabro.document.Field;
import org.crabro.document.select.BatchSelection;
import org.crabro.document.select.Selection;
import org.jspecify.annotations.Nullable;

/** The position of a page in the rows of one source, with the columns of the open block. */
final class VisitedRows {
    private final RowCursor cursor;
    private final VisitedType type;
    private final int age;
    private final @Nullable Column[] columns;
    private @Nullable EncodedBlock resolved;
    private @Nullable RowJson json;
    private @Nullable BatchSelection selection;
    private @Nullable EncodedBlock selectedBlock;

    /**
     * @param age higher for older rows
     */
    VisitedRows(RowCursor cursor, VisitedType type, int age) {
        this.cursor = cursor;
        this.type = type;
        this.age = age;
        this.columns = new Column[type.shown().size()];
    }

    RowCursor cursor() {
        return cursor;
    }

    VisitedType type() {
        return type;
    }

    EncodedBlock block() {
        return cursor.block();
    }

    /** Returns the writer for these rows. Creates it on first use. */
    RowJson json(RowJsons writers) {
        RowJson cached = json;
        if (cached == null) {
            cached = writers.of(type, cursor);
            json = cached;
        }
        return cached;
    }

    /**
     * Returns the selection of rows of the open block. Each cursor has its own, because merged
     * cursors alternate.
     *
     * @param now whole seconds since 1970
     * @param work may stop the selection inside a row
     */
    BatchSelection batches(Selection of, long now, WorkMeter work) {
        BatchSelection cached = selection;
        if (cached == null) {
            cached = of.batches(type.type().name(), now, work);
            selection = cached;
        }
        if (selectedBlock != cursor.block()) {
            cached.enter(new ColumnRows(new OpenBlock(cursor.block(), type.type())));
            selectedBlock = cursor.block();
        }
        return cached;
    }

    /** Returns the column of each written field, null if the block has none. */
    @Nullable Column[] columns() {
        EncodedBlock block = cursor.block();
        if (resolved != block) {
            List<Field> shown = type.shown();
            for (int i = 0; i < columns.length; i++) {
                columns[i] = TypedColumns.column(block, shown.get(i)).orElse(null);
            }
            resolved = block;
        }
        return columns;
    }

    /** Orders by the next key. At equal keys, unopened blocks are first, then younger rows. */
    int compareTo(VisitedRows that) {
        int byKey = cursor.compareKeys(that.cursor);
        if (byKey != 0) {
            return byKey;
        }
        int byOpen = Boolean.compare(cursor.isOpen(), that.cursor.isOpen());
        return byOpen != 0 ? byOpen : Integer.compare(age, that.age);
    }
}
