package org.crabro.content.visit;

import java.util.HashMap;
import java.util.Map;
import org.crabro.content.run.RowCursor;
import org.crabro.document.json.TensorFormat;
import org.crabro.protocol.visit.VisitForm;

/**
 * Gives out what writes rows of a page. Each run gets one of its own, which keeps the texts that
 * its neighbours were decompressed with; blocks of memory, of which there may be a thousand that a
 * page comes to for a row or two each, share one by type.
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
