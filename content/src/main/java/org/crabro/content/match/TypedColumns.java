package org.crabro.content.match;

import java.util.List;
import java.util.Optional;
import org.crabro.content.run.Block;
import org.crabro.content.run.Column;
import org.crabro.document.Field;

/** Columns as the active schema knows them. */
public final class TypedColumns {
    private TypedColumns() {}

    /**
     * Returns the column of {@code field}, or nothing where the block was written before there was
     * such a field, or when it had another type: then its rows have no value.
     */
    public static Optional<Column> column(Block block, Field field) {
        List<Field> written = block.documentType().fields();
        for (int i = 0; i < written.size(); i++) {
            if (written.get(i).name().equals(field.name())) {
                return written.get(i).type().equals(field.type())
                        ? block.column(field.name())
                        : Optional.empty();
            }
        }
        return Optional.empty();
    }
}
