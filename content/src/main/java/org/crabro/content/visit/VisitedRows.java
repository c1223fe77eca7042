package org.crabro.content.visit;

import java.util.List;
import org.crabro.content.block.EncodedBlock;
import org.crabro.content.block.column.Column;
import org.crabro.content.match.TypedColumns;
import org.crabro.content.query.WorkMeter;
import org.crabro.content.run.RowCursor;
import org.crabro.document.Field;
import org.crabro.document.select.BatchSelection;
import org.crabro.document.select.Selection;
import org.jspecify.annotations.Nullable;

/** Where a page is in the rows of one source, with the columns of the block that is open there. */
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

    /** Returns what writes rows of this, made when it is first asked for. */
    RowJson json(RowJsons writers) {
        RowJson known = json;
        if (known == null) {
            known = writers.of(type, cursor);
            json = known;
        }
        return known;
    }

    /**
     * Returns what asks which rows are meant of the block that is open. Each cursor has its own:
     * where several are merged they take turns.
     *
     * @param now whole seconds since 1970
     * @param work ends it inside a row
     */
    BatchSelection batches(Selection of, long now, WorkMeter work) {
        BatchSelection known = selection;
        if (known == null) {
            known = of.batches(type.type().name(), now, work);
            selection = known;
        }
        if (selectedBlock != cursor.block()) {
            known.enter(new ColumnRows(new OpenBlock(cursor.block(), type.type())));
            selectedBlock = cursor.block();
        }
        return known;
    }

    /** Returns the column of each field that is shown, null where the block has none. */
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

    /** Orders by the next key; of one key, what has to be opened first, and then the younger. */
    int compareTo(VisitedRows that) {
        int byKey = cursor.compareKeys(that.cursor);
        if (byKey != 0) {
            return byKey;
        }
        int byOpen = Boolean.compare(cursor.isOpen(), that.cursor.isOpen());
        return byOpen != 0 ? byOpen : Integer.compare(age, that.age);
    }
}
