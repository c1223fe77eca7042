package org.crabro.content.visit;

import java.util.List;
import java.util.Optional;
import org.crabro.content.match.TypedColumns;
import org.crabro.content.run.Column;
import org.crabro.content.run.EncodedBlock;
import org.crabro.content.run.RowCursor;
import org.crabro.document.Field;
import org.jspecify.annotations.Nullable;

/** Where a page is in the rows of one source, with the columns of the block that is open there. */
final class VisitedRows {
    private final RowCursor cursor;
    private final VisitedType type;
    private final int age;
    private final @Nullable Column[] columns;
    private @Nullable EncodedBlock resolved;
    private @Nullable RowJson json;

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

    /** Returns a value that the block has of a field of the type. */
    Optional<Column> column(String field) {
        return type.type().field(field).flatMap(known -> TypedColumns.column(block(), known));
    }
}
