package org.crabro.content.match;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import org.crabro.content.run.Block;
import org.crabro.content.run.Column;
import org.crabro.content.run.NumberBounds;
import org.crabro.content.run.TokenDictionary;
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
        if (isWrittenAs(block, field)) {
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

    /** Returns between which numbers the values of {@code field} lie, of rows that have one. */
    static Optional<NumberBounds> bounds(Block block, Field field) {
        return isWrittenAs(block, field) ? block.bounds(field.name()) : Optional.empty();
    }

    /** Returns the inverse lengths of the vectors of {@code field}, where the block keeps them. */
    static Optional<MemorySegment> inverseLengths(Block block, Field field) {
        return isWrittenAs(block, field) ? block.inverseLengths(field.name()) : Optional.empty();
    }

    /** Returns the different words of {@code field}, where the block keeps them. */
    static Optional<TokenDictionary> tokenDictionary(Block block, Field field) {
        return isWrittenAs(block, field) ? block.tokenDictionary(field.name()) : Optional.empty();
    }

    private static boolean isWrittenAs(Block block, Field field) {
        List<Field> written = block.documentType().fields();
        for (int i = 0; i < written.size(); i++) {
            if (written.get(i).name().equals(field.name())) {
                return written.get(i).type().equals(field.type());
            }
        }
        return false;
    }
}
