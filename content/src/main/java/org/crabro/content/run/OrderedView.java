package org.crabro.content.run;

import java.util.List;
import java.util.Optional;
import org.crabro.content.block.key.RowKey;
import org.crabro.content.read.CursorSelection;
import org.crabro.content.read.RowReads;
import org.crabro.content.read.View;

/** A view whose rows are gone through in the order of their keys. */
public interface OrderedView extends View {
    /**
     * Returns where to begin with the rows of a type. Of a document that several of the cursors
     * come to, the row of the youngest counts: no cursor is younger than one before it.
     *
     * <p>Touches mappings: only for the node's own threads.
     *
     * @param after rows up to this key are passed over
     * @param reads brings blocks of runs, and is open as long as the cursors are used
     */
    List<RowCursor> cursors(CursorSelection wanted, Optional<RowKey> after, RowReads reads);
}
