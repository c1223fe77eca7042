package org.crabro.content.search.visit;

import java.util.HashMap;
import java.util.Map;
import org.crabro.content.storage.run.RowCursor;
import org.crabro.document.json.TensorFormat;
import org.crabro.protocol.visit.VisitForm;

/**
 * Creates the writers of the rows of a page. Each run has a writer of its own, which caches the
 * texts of the last decompressed frame. Blocks in memory share one writer per type, because a page
 * may read one or two rows from each of a thousand such blocks.
 */
final class RowJsons {
    private final TensorFormat tensors;
    private final boolean withEmpties;
    private final Map<VisitedType, RowJson> shared = new HashMap<>();

    RowJsons(VisitForm.Json form) {
        this.tensors = form.tensors();
        this.withEmpties = form.withEmpties();
    }

    RowJson of(VisitedType type, RowCursor cursor) {
        return cursor.isOfRun()
                ? new RowJson(type, tensors, withEmpties)
                : shared.computeIfAbsent(type, each -> new RowJson(each, tensors, withEmpties));
    }
}
