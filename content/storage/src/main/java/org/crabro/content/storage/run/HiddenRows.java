package org.crabro.content.storage.run;

import org.crabro.content.storage.dead.RemovedGroups;
import org.crabro.content.storage.dead.ReplacedRows;

/**
 * The rows of runs that rows in no run hide.
 *
 * @param replaced rows of documents that were written again, or removed
 * @param removed groups that were removed
 */
public record HiddenRows(ReplacedRows replaced, RemovedGroups removed) {
    /** No row. */
    public static final HiddenRows NONE = new HiddenRows(ReplacedRows.NONE, RemovedGroups.NONE);
}
