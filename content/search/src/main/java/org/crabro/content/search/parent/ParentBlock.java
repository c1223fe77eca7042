package org.crabro.content.search.parent;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.TypedColumns;
import org.crabro.content.storage.block.column.Column;
import org.crabro.document.Field;
import org.jspecify.annotations.Nullable;

/** A block with rows of parents, and its columns that a search reads. Safe for many threads. */
final class ParentBlock {
    private final EncodedBlock block;

    /** By number of the field; threads that race write equal ones. */
    private final AtomicReferenceArray<@Nullable Optional<Column>> columns;

    /**
     * @param sources the number of fields of parents that the search may read
     */
    ParentBlock(EncodedBlock block, int sources) {
        this.block = block;
        this.columns = new AtomicReferenceArray<>(sources);
    }

    /** Returns the type of the documents. */
    String type() {
        return block.documentType().name();
    }

    /** Returns the column of a field; null if no row has a value. */
    @Nullable Column column(int source, Field field) {
        Optional<Column> cached = columns.get(source);
        if (cached == null) {
            cached = TypedColumns.column(block, field);
            columns.set(source, cached);
        }
        return cached.orElse(null);
    }
}
