package org.crabro.content.search.visit;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.key.KeyArea;
import org.crabro.content.storage.file.BlockProjection;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.content.storage.layout.NumberBounds;
import org.crabro.content.storage.read.CursorSelection;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.TypeChange;
import org.crabro.document.select.NumberSpan;
import org.crabro.document.select.Selection;
import org.crabro.protocol.visit.VisitForm;
import org.crabro.protocol.visit.VisitRequest;

/** Decides from headers which blocks, and which parts of them, a page needs. Immutable. */
final class WantedBlocks {
    private final VisitRequest request;
    private final Selection selection;
    private final long now;
    private final WorkMeter work;

    /**
     * @param now whole seconds since 1970, for the selection
     * @param work may stop the search for blocks
     */
    WantedBlocks(VisitRequest request, Selection selection, long now, WorkMeter work) {
        this.work = work;
        this.request = request;
        this.selection = selection;
        this.now = now;
    }

    CursorSelection of(VisitedType type, KeyArea area) {
        String name = type.type().name();
        var fields = new HashSet<>(selection.fields(name));
        switch (request.form()) {
            case VisitForm.Json _, VisitForm.Documents _ ->
                    type.shown().forEach(field -> fields.add(field.name()));
            case VisitForm.Ids _, VisitForm.Groups _ -> {}
        }
        var parts = new BlockProjection(fields, Set.of(), Set.of(), false, true);
        return new CursorSelection(name, area, parts, block -> mayHave(type, block));
    }

    private boolean mayHave(VisitedType type, EncodedBlock block) {
        NumberBounds.Whole times = block.timestampBounds();
        if (times.max() < request.scope().fromTimestamp()
                || times.min() >= request.scope().toTimestamp()) {
            return false;
        }
        return (request.withRemoves() && block.hasTombstones())
                || selection.mayMean(
                        type.type().name(), now, field -> span(type.type(), block, field), work);
    }

    /** Returns the least and the largest value of a field in a block. */
    static Optional<NumberSpan> span(DocumentType type, EncodedBlock block, String name) {
        Optional<Field> active = type.field(name);
        if (active.isEmpty()) {
            return Optional.empty();
        }
        if (!isReadable(block.documentType(), active.get())) {
            return Optional.of(NumberSpan.NONE);
        }
        return block.bounds(name)
                .map(bounds ->
                        switch (bounds) {
                            case NumberBounds.Whole(var min, var max) ->
                                    NumberSpan.ofWhole(min, max);
                            case NumberBounds.Real(var min, var max) -> NumberSpan.ofReal(min, max);
                        });
    }

    private static boolean isReadable(DocumentType written, Field active) {
        return written.field(active.name())
                .filter(field -> new TypeChange(field.type(), active.type()).isReadable())
                .isPresent();
    }
}
