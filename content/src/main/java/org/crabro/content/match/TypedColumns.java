package org.crabro.content.match;

import java.util.List;
import java.util.Optional;
import org.crabro.content.block.Block;
import org.crabro.content.block.column.Column;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.TypeChange;

/** Columns as the active schema knows them. */
public final class TypedColumns {
    private TypedColumns() {}

    /**
     * Returns the column of {@code field}, or nothing where the block was written before there was
     * such a field, or when it had another type: then its rows have no value. Structs that had
     * other members show those that they have still.
     */
    public static Optional<Column> column(Block block, Field field) {
        if (isWrittenAs(block.documentType(), field)) {
            return block.column(field.name());
        }
        Optional<TypeChange> change =
                block.documentType()
                        .field(field.name())
                        .map(written -> new TypeChange(written.type(), field.type()))
                        .filter(TypeChange::isReadable);
        return change.isEmpty()
                ? Optional.empty()
                : block.column(field.name())
                        .map(column ->
                                ReshapedColumns.column(
                                        column, change.get().before(), change.get().after()));
    }

    /** Returns whether blocks of a type have {@code field}, and as it is now. */
    static boolean isWrittenAs(DocumentType type, Field field) {
        List<Field> written = type.fields();
        for (int i = 0; i < written.size(); i++) {
            if (written.get(i).name().equals(field.name())) {
                return written.get(i).type().equals(field.type());
            }
        }
        return false;
    }
}
