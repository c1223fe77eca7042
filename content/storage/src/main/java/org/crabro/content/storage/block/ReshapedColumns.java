package org.crabro.content.storage.block;

import java.util.ArrayList;
import java.util.Optional;
import org.crabro.content.storage.block.column.Column;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.TypeChange;

/**
 * Adapts columns with structs to the active type: members added later have no values, removed
 * members are hidden. No bytes are copied.
 */
final class ReshapedColumns {
    private ReshapedColumns() {}

    /**
     * Returns {@code column} as the type {@code after} sees it. That type must be able to read it.
     *
     * @param before the type with which the column was written
     */
    static Column column(Column column, FieldType before, FieldType after) {
        if (before.equals(after)) {
            return column;
        }
        if (column instanceof Column.Arrays(var firsts, var elements, var presence)
                && before instanceof FieldType.ArrayOf(var was)
                && after instanceof FieldType.ArrayOf(var is)) {
            return new Column.Arrays(firsts, column(elements, was, is), presence);
        }
        if (column instanceof Column.Maps(var firsts, var keys, var values, var presence)
                && before instanceof FieldType.MapOf(_, var was)
                && after instanceof FieldType.MapOf(_, var is)) {
            return new Column.Maps(firsts, keys, column(values, was, is), presence);
        }
        if (column instanceof Column.Structs structs && after instanceof FieldType.StructOf is) {
            return structs(structs, is);
        }
        throw new IllegalStateException("a column of " + before + " read as " + after);
    }

    private static Column structs(Column.Structs structs, FieldType.StructOf after) {
        var columns = new ArrayList<Optional<Column>>();
        for (Field member : after.fields()) {
            Optional<Column> structColumn = Optional.empty();
            for (int i = 0; i < structs.fields().size(); i++) {
                Field was = structs.type().fields().get(i);
                var change = new TypeChange(was.type(), member.type());
                if (was.name().equals(member.name()) && change.isReadable()) {
                    structColumn =
                            structs.fields()
                                    .get(i)
                                    .map(each -> column(each, was.type(), member.type()));
                }
            }
            columns.add(structColumn);
        }
        return new Column.Structs(after, columns, structs.presence());
    }
}
