package org.crabro.content.search.parent;

import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.column.TextReader;
import org.crabro.content.storage.file.WorkMeter;
import org.jspecify.annotations.Nullable;

/** Finds the parents of rows. For one thread. */
final class ParentFinder {
    /** The units of work for finding a document by its id. */
    private static final int FIND_UNITS = 4_000;

    private final Parents parents;
    private final WorkMeter work;
    private final TextReader text = new TextReader();
    private final IdBytes id = new IdBytes();

    /**
     * @param work counts the work, and may stop it
     */
    ParentFinder(Parents parents, WorkMeter work) {
        this.parents = parents;
        this.work = work;
    }

    /**
     * Returns the document that a row refers to.
     *
     * @param references the column of the reference
     * @param row has a value
     * @param target the type of the document
     */
    ParentRow parent(Column.Texts references, int row, String target) {
        text.read(references, row);
        return parent(target);
    }

    /** Returns the document that a distinct value of a column refers to. */
    ParentRow parentOfCode(Column.CodedTexts references, int code, String target) {
        text.readValue(references, code);
        return parent(target);
    }

    private ParentRow parent(String target) {
        id.set(text);
        if (id.isEmpty()) {
            return ParentRow.NONE;
        }
        ParentRow row = parents.cached(id);
        if (row == null) {
            work.spend(FIND_UNITS);
            row = parents.find(id);
        }
        ParentBlock block = row.block();
        return block == null || !block.type().equals(target) ? ParentRow.NONE : row;
    }

    /** Returns the document with the value of an imported field, from the parent of a row on. */
    ParentRow end(ParentRow parent, ImportPath path) {
        ParentRow at = parent;
        for (int i = 0; i < path.further().size(); i++) {
            ImportPath.Further link = path.further().get(i);
            ParentRow next = at.further(link.source());
            if (next == null) {
                next = next(at, link);
                if (at != ParentRow.NONE) {
                    at.setFurther(link.source(), parents.sourceCount(), next);
                }
            }
            at = next;
        }
        return at;
    }

    private ParentRow next(ParentRow at, ImportPath.Further link) {
        ParentBlock block = at.block();
        Column column =
                block == null ? null : block.column(link.source(), parents.source(link.source()));
        return column instanceof Column.Texts references && column.presence().has(at.row())
                ? parent(references, at.row(), link.target())
                : ParentRow.NONE;
    }

    /** Returns the column with the value of an imported field; null if the document has none. */
    static @Nullable Column value(ParentRow end, ImportPath path) {
        ParentBlock block = end.block();
        Column column = block == null ? null : block.column(path.source(), path.value());
        return column != null && column.presence().has(end.row()) ? column : null;
    }
}
