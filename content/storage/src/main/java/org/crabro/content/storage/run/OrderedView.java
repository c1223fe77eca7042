package org.crabro.content.storage.run;

import java.util.List;
import java.util.Optional;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.read.CursorSelection;
import org.crabro.content.storage.read.RowReads;
import org.crabro.content.storage.read.View;

/** A view whose rows can be read in key order. */
public interface OrderedView extends View {
    /**
     * Returns cursors over the rows of a type. If several cursors have the same document, the
     * newest row wins: each cursor is at least as old as those before it.
     *
     * <p>Touches mappings: only for the node's own threads.
     *
     * @param after rows up to this key are skipped
     * @param reads loads blocks of runs, and stays open as long as the cursors are used
     */
    List<RowCursor> cursors(CursorSelection wanted, Optional<RowKey> after, RowReads reads);
}
