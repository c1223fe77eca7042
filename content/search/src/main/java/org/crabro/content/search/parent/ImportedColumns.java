package org.crabro.content.search.parent;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.TypedColumns;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.column.Presence;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.document.Field;
import org.jspecify.annotations.Nullable;

/**
 * The imported fields of the rows of one slice, as columns. A column contains the values of the
 * rows of the slice; other rows of the block are undefined in it. The memory is reused for the next
 * slice. For one thread at a time.
 */
public final class ImportedColumns {
    /** The units of work for the parent of a row, and for copying a value. */
    private static final int ROW_UNITS = 20;

    private final Parents parents;
    private final WorkMeter work;
    private final ParentFinder finder;
    private final Map<Field, RowParents> byReference = new HashMap<>();
    private final Map<String, ValueGatherer> gatherers = new HashMap<>();

    /** The columns of the slice by field: parts of a field share its column. */
    private final Map<String, Optional<Column>> columns = new HashMap<>();

    private ParentRow[] ends = {};

    /** The parents of the rows of the slice by one reference. */
    private static final class RowParents {
        private ParentRow[] rows = {};
        private boolean isKnown;
    }

    /**
     * @param work counts the work of the thread, and may stop it
     */
    public ImportedColumns(Parents parents, WorkMeter work) {
        this.parents = parents;
        this.work = work;
        this.finder = new ParentFinder(parents, work);
    }

    /** Forgets the columns of the slice. */
    public void clear() {
        byReference.values().forEach(each -> each.isKnown = false);
        columns.clear();
    }

    /**
     * Returns the column of an imported field for the rows of a slice; empty if none has a value.
     * It is the same until {@link #clear}.
     */
    public Optional<Column> column(BlockSlice slice, String field) {
        Optional<Column> cached = columns.get(field);
        if (cached == null) {
            cached = newColumn(slice, field);
            columns.put(field, cached);
        }
        return cached;
    }

    private Optional<Column> newColumn(BlockSlice slice, String field) {
        ImportPath path = parents.path(field);
        if (path == null) {
            throw new IllegalArgumentException("field '" + field + "' is not imported");
        }
        ParentRow[] rows = parents(slice, path);
        int count = slice.to() - slice.from();
        if (!path.further().isEmpty()) {
            if (ends.length < count) {
                ends = new ParentRow[count];
            }
            for (int i = 0; i < count; i++) {
                ends[i] = finder.end(rows[i], path);
            }
            rows = ends;
        }
        work.spend(count, ROW_UNITS);
        return gatherers
                .computeIfAbsent(field, _ -> ValueGatherer.of(path, parents))
                .column(slice, rows, work);
    }

    /** Returns the parents of the rows of the slice, in their order. */
    private ParentRow[] parents(BlockSlice slice, ImportPath path) {
        RowParents rowParents =
                byReference.computeIfAbsent(path.reference(), _ -> new RowParents());
        if (!rowParents.isKnown) {
            int count = slice.to() - slice.from();
            if (rowParents.rows.length < count) {
                rowParents.rows = new ParentRow[count];
            }
            work.spend(count, ROW_UNITS);
            fill(slice, path, rowParents.rows);
            rowParents.isKnown = true;
        }
        return rowParents.rows;
    }

    private void fill(BlockSlice slice, ImportPath path, ParentRow[] into) {
        EncodedBlock block = slice.block();
        Column column = TypedColumns.column(block, path.reference()).orElse(null);
        int count = slice.to() - slice.from();
        if (!(column instanceof Column.Texts texts)) {
            Arrays.fill(into, 0, count, ParentRow.NONE);
            return;
        }
        Presence presence = texts.presence();
        @Nullable ParentRow[] byCode =
                texts instanceof Column.CodedTexts coded ? new ParentRow[coded.valueCount()] : null;
        for (int i = 0; i < count; i++) {
            int row = slice.from() + i;
            if (!presence.has(row)) {
                into[i] = ParentRow.NONE;
            } else if (byCode != null && texts instanceof Column.CodedTexts coded) {
                int code = coded.code(row);
                ParentRow parent = byCode[code];
                if (parent == null) {
                    parent = finder.parentOfCode(coded, code, path.target());
                    byCode[code] = parent;
                }
                into[i] = parent;
            } else {
                into[i] = finder.parent(texts, row, path.target());
            }
        }
    }
}
