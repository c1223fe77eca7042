package org.crabro.content.search.visit;

import java.util.Optional;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.TypedColumns;
import org.crabro.content.storage.block.column.Column;
import org.crabro.document.DocumentType;

/**
 * A block as a selection reads it.
 *
 * @param type the active type; rows may have been written with an earlier one
 */
record OpenBlock(EncodedBlock block, DocumentType type) {
    /** Returns the block's column of a field of the type. */
    Optional<Column> column(String field) {
        return type.field(field).flatMap(declared -> TypedColumns.column(block, declared));
    }
}
