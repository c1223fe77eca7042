package org.crabro.content.storage.block;

import java.util.List;
import java.util.Optional;
import org.crabro.content.storage.block.column.Column;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.TypeChange;

/** Reads columns with the types of the active schema. */
public final class TypedColumns {
    private TypedColumns() {}

    /**
     * Returns the column of {@code field}. It is empty if the block was written before the field
     * existed, or when it had an incompatible type: then its rows have no value. Structs are
     * adapted to the members of the active type.
     */
    public static Optional<Column> column(EncodedBlock block, Field field) {
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

    /** Returns whether blocks of a type have {@code field} with its current type. */
    public static boolean isWrittenAs(DocumentType type, Field field) {
        List<Field> written = type.fields();
        for (int i = 0; i < written.size(); i++) {
            if (written.get(i).name().equals(field.name())) {
                return written.get(i).type().equals(field.type());
            }
        }
        return false;
    }
}
