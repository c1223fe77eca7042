package org.crabro.container.route;

import java.lang.foreign.MemorySegment;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.schema.Schema;
import org.crabro.config.services.ContentCluster.ClusterDocument;
import org.crabro.container.document.DocumentWrites;
import org.crabro.container.document.RowWrites;
import org.crabro.container.document.WriteResult;
import org.crabro.document.Document;
import org.crabro.document.DocumentType;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.document.select.SelectedDocument;
import org.crabro.document.select.Selection;
import org.crabro.document.select.SelectionTypes;
import org.crabro.document.select.Truth;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;

/**
 * Drops puts of documents that no content cluster selects. Updates and removals pass, even if the
 * selections exclude the updated document.
 */
public final class SelectionFilter implements DocumentWrites {
    /** The selections of all clusters with a type, if each of them has one. */
    private final Map<String, List<Selection>> selections = new HashMap<>();

    /** The types that have a selection. */
    private final Map<String, DocumentType> selected = new HashMap<>();

    private final DocumentWrites writes;
    private final InstantSource clock;

    /**
     * @param clock the time of {@code now()} in selections
     */
    public SelectionFilter(ApplicationModel model, DocumentWrites writes, InstantSource clock) {
        this.writes = writes;
        this.clock = clock;
        SelectionTypes types = Schema.selectable(model.schemas().values());
        for (Schema schema : model.schemas().values()) {
            List<String> texts = selections(model, schema.name());
            if (!texts.isEmpty() && !texts.contains("")) {
                selections.put(
                        schema.name(),
                        texts.stream().map(text -> Selection.parse(text, types)).toList());
                selected.put(schema.name(), schema.documentType());
            }
        }
    }

    /** Returns the selection of each cluster with a type; it is empty for all documents. */
    private static List<String> selections(ApplicationModel model, String type) {
        return model.services().contents().stream()
                .flatMap(cluster -> cluster.documents().stream())
                .filter(each -> each.type().equals(type))
                .map(ClusterDocument::selection)
                .toList();
    }

    /**
     * Returns why an encoded document is dropped; empty if it passes. Decodes the row only if its
     * type has a selection.
     */
    public Optional<String> refusal(Write.Row put) {
        DocumentType type = selected.get(put.id().documentType());
        if (type == null) {
            return Optional.empty();
        }
        Row row = RowEncoding.decode(MemorySegment.ofArray(put.bytes()), type);
        return row.tombstone() ? Optional.empty() : refusal(new Document(put.id(), row.fields()));
    }

    /** Returns writes that pass through this filter to {@code rows}. */
    public RowWrites filter(RowWrites rows) {
        return (principal, deadline, row) -> {
            Optional<String> refusal = refusal(row);
            return refusal.isPresent()
                    ? new WriteResult.Ignored(refusal.get())
                    : rows.write(principal, deadline, row);
        };
    }

    /** Returns why {@code document} is dropped; empty if it passes. */
    public Optional<String> refusal(Document document) {
        List<Selection> any = selections.get(document.id().documentType());
        if (any == null) {
            return Optional.empty();
        }
        long now = clock.instant().getEpochSecond();
        SelectedDocument selectable = SelectedDocument.of(document);
        for (Selection selection : any) {
            if (selection.of(selectable, now) == Truth.TRUE) {
                return Optional.empty();
            }
        }
        return Optional.of(
                "nothing was written: the cluster keeps only documents of type '%s' that '%s' selects"
                        .formatted(
                                document.id().documentType(),
                                any.stream()
                                        .map(Selection::toString)
                                        .collect(Collectors.joining("' or '"))));
    }

    @Override
    public WriteResult write(
            Principal principal, Deadline deadline, ConditionalOperation operation) {
        // A put on the condition of a version rewrites a stored document.
        if (operation.operation() instanceof DocumentOperation.Put(Document document)
                && operation.condition().timestamp().isEmpty()) {
            Optional<String> refusal = refusal(document);
            if (refusal.isPresent()) {
                return new WriteResult.Ignored(refusal.get());
            }
        }
        return writes.write(principal, deadline, operation);
    }
}
