package org.crabro.container.visit;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.FieldValue;
import org.crabro.document.LocationKey;
import org.crabro.document.json.FieldValueWriter;
import org.crabro.document.select.SelectedDocument;
import org.crabro.document.select.SelectedPlaces;
import org.crabro.document.select.Selection;
import org.crabro.document.select.SelectionTypes;
import org.crabro.document.select.Truth;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.visit.VisitForm;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.visit.VisitRequest;
import org.crabro.protocol.visit.VisitedDocument;
import org.crabro.protocol.visit.VisitedGroup;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.RequestHeader;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Documents in a sorted map, visited as nodes do: pages in the order of keys. */
public final class PagedDocuments implements VisitReads {
    private static final JsonFactory JSON = new JsonFactory();

    private final SelectionTypes types;
    private final AtomicInteger pages = new AtomicInteger();

    /** Replaces answers; called with the number of the page from 1. */
    private volatile Function<Integer, Optional<PageReply>> instead = _ -> Optional.empty();

    private final NavigableMap<DocumentId, VisitedDocument> documents =
            new ConcurrentSkipListMap<>(
                    Comparator.<DocumentId>comparingInt(
                                    id -> Integer.reverse((int) id.location()) ^ Integer.MIN_VALUE)
                            .thenComparing(DocumentId::toString));

    public PagedDocuments(List<DocumentType> types) {
        this.types = SelectionTypes.of(types);
    }

    public void put(Document document, long timestamp) {
        documents.put(
                document.id(),
                new VisitedDocument(document.id(), timestamp, false, Optional.of(document)));
    }

    public void remove(DocumentId id, long timestamp) {
        documents.put(id, new VisitedDocument(id, timestamp, true, Optional.empty()));
    }

    /** Returns the newest version, which may be a removal. */
    public Optional<VisitedDocument> newest(DocumentId id) {
        return Optional.ofNullable(documents.get(id));
    }

    public void answerInstead(Function<Integer, Optional<PageReply>> reply) {
        instead = reply;
    }

    /** Returns the number of requested pages. */
    public int pages() {
        return pages.get();
    }

    @Override
    public Partitions partitions() {
        return Partitions.DEFAULT;
    }

    @Override
    public PageReply read(
            Principal principal, Deadline deadline, SelectedPlaces places, RequestMaker request) {
        Optional<PageReply> reply = instead.apply(pages.incrementAndGet());
        return reply.orElseGet(() ->
                new PageReply.Answered(
                        page(request.request(new RequestHeader(principal, 1, deadline)))));
    }

    private VisitReply page(VisitRequest request) {
        Selection selection = Selection.parse(request.scope().selection(), types);
        var page = new ArrayList<VisitedDocument>();
        DocumentId last = null;
        var behind =
                request.scope()
                        .after()
                        .map(id -> documents.tailMap(id, false))
                        .orElse(documents)
                        .values();
        for (VisitedDocument each : behind) {
            if (partitions().of(each.id().location()) != request.scope().partition()) {
                continue;
            }
            if (page.size() == request.limits().documentsMax()) {
                return reply(request, page, Optional.ofNullable(last));
            }
            last = each.id();
            if (isMeant(each, request, selection)) {
                page.add(each);
            }
        }
        return reply(request, page, Optional.empty());
    }

    private static boolean isMeant(
            VisitedDocument each, VisitRequest request, Selection selection) {
        var document =
                SelectedDocument.of(each.document().orElse(new Document(each.id(), Map.of())));
        return request.fields().containsKey(each.id().documentType())
                && (request.withRemoves() || !each.isRemoved())
                && each.timestamp() >= request.scope().fromTimestamp()
                && each.timestamp() < request.scope().toTimestamp()
                && Math.floorMod(each.id().globalId().hashCode(), request.scope().slice().count())
                        == request.scope().slice().index()
                && selection.of(document, 0) == Truth.TRUE;
    }

    private static VisitReply reply(
            VisitRequest request, List<VisitedDocument> documents, Optional<DocumentId> last) {
        VisitReply.Contents contents =
                switch (request.form()) {
                    case VisitForm.Json form ->
                            new VisitReply.Contents.Json(
                                    ByteBuffer.wrap(json(request.fields(), form, documents)));
                    case VisitForm.Documents _, VisitForm.Ids _ ->
                            new VisitReply.Contents.Documents(documents);
                    case VisitForm.Groups(var kind) ->
                            new VisitReply.Contents.Groups(groups(kind, documents));
                };
        return new VisitReply.Page(contents, documents.size(), last, last.isPresent() ? 0.5 : 1);
    }

    private static List<VisitedGroup> groups(
            VisitForm.GroupKind kind, List<VisitedDocument> documents) {
        var counts = new LinkedHashMap<LocationKey, Long>();
        for (VisitedDocument each : documents) {
            LocationKey key = each.id().key();
            boolean isCounted =
                    switch (kind) {
                        case NAMED -> key instanceof LocationKey.Group;
                        case NUMBERED -> key instanceof LocationKey.Numbered;
                        case PLAIN -> key instanceof LocationKey.Plain;
                    };
            if (isCounted) {
                counts.merge(key, 1L, Long::sum);
            }
        }
        return counts.entrySet().stream()
                .map(entry -> new VisitedGroup(entry.getKey(), entry.getValue(), 1))
                .toList();
    }

    private static byte[] json(
            Map<String, List<String>> fields,
            VisitForm.Json form,
            List<VisitedDocument> documents) {
        var bytes = new ByteArrayOutputStream();
        boolean isList = form.style() == VisitForm.Style.LIST;
        String comma = "";
        for (VisitedDocument each : documents) {
            var one = new ByteArrayOutputStream();
            try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), one)) {
                json.writeStartObject();
                String name = each.isRemoved() ? "remove" : isList ? "id" : "put";
                json.writeStringProperty(name, each.id().toString());
                if (form.withTimestamps()) {
                    json.writeNumberProperty("timestamp", each.timestamp());
                }
                if (!each.isRemoved()) {
                    json.writeObjectPropertyStart("fields");
                    for (String field : fields.getOrDefault(each.id().documentType(), List.of())) {
                        Optional<FieldValue> value = each.document().orElseThrow().value(field);
                        if (value.isPresent()) {
                            json.writeName(field);
                            FieldValueWriter.write(json, value.get(), form.tensors());
                        }
                    }
                    json.writeEndObject();
                }
                json.writeEndObject();
            }
            bytes.writeBytes(comma.getBytes(java.nio.charset.StandardCharsets.UTF_8));
            bytes.writeBytes(one.toByteArray());
            if (isList) {
                comma = ",";
            } else {
                bytes.write('\n');
            }
        }
        return bytes.toByteArray();
    }
}
