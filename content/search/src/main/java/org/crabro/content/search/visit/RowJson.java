package org.crabro.content.search.visit;

import java.util.List;
import org.crabro.content.storage.block.column.Column;
import org.crabro.document.Field;
import org.crabro.document.json.JsonBytes;
import org.crabro.document.json.TensorFormat;
import org.jspecify.annotations.Nullable;

/** Writes the fields of rows of one type. For one thread. */
final class RowJson {
    private final FieldJson[] fields;
    private final byte[][] names;
    private final boolean withEmpties;

    /**
     * @param withEmpties whether empty texts and collections are written
     */
    RowJson(VisitedType type, TensorFormat tensors, boolean withEmpties) {
        this.withEmpties = withEmpties;
        List<Field> shown = type.shown();
        this.fields = new FieldJson[shown.size()];
        this.names = new byte[shown.size()][];
        for (int i = 0; i < fields.length; i++) {
            fields[i] = new FieldJson(shown.get(i).type(), tensors);
            names[i] = JsonBytes.member(shown.get(i).name());
        }
    }

    /**
     * Writes a JSON object with the fields of a row. Empty fields are left out, unless they are
     * requested.
     */
    void write(@Nullable Column[] columns, int row, JsonBytes json) {
        json.put('{');
        boolean isNext = false;
        for (int i = 0; i < fields.length; i++) {
            Column column = columns[i];
            boolean isShown = column != null && fields[i].isShown(column, row);
            byte[] empty = isShown || !withEmpties ? null : fields[i].empty();
            if (!isShown && empty == null) {
                continue;
            }
            if (isNext) {
                json.put(',');
            }
            isNext = true;
            json.put(names[i]);
            if (column != null && isShown) {
                fields[i].write(column, row, json);
            } else if (empty != null) {
                json.put(empty);
            }
        }
        json.put('}');
    }
}
