package org.crabro.container.document;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.document.operation.FieldUpdates;
import org.crabro.protocol.cluster.PartitionPosition;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.ReadHold;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;

/** Stores documents in a map, or returns configured answers. */
public final class MapOfDocuments implements DocumentReads, DocumentWrites {
    private final Map<DocumentId, Document> documents = new HashMap<>();
    private Supplier<WriteResult> writeResult = this::stored;
    private Optional<ReadReply> readReply = Optional.empty();
    private long position;
    private Deadline lastDeadline = new Deadline(0);
    private Optional<ConditionalOperation> lastWrite = Optional.empty();

    private WriteResult stored() {
        position++;
        return new WriteResult.Answered(
                new WriteReply.Stored(1_000 + position, new PartitionPosition(3, position)));
    }

    /** Breaks on every write from here on. */
    public void breakDown() {
        writeResult =
                () -> {
                    throw new IllegalStateException("the map is broken");
                };
    }

    public void answer(WriteReply reply) {
        writeResult = () -> new WriteResult.Answered(reply);
    }

    public void answer(WriteResult reply) {
        writeResult = () -> reply;
    }

    public void answer(ReadReply reply) {
        readReply = Optional.of(reply);
    }

    public Map<DocumentId, Document> documents() {
        return documents;
    }

    public Deadline lastDeadline() {
        return lastDeadline;
    }

    /** Returns whether anything was to be carried out. */
    public boolean isAsked() {
        return lastWrite.isPresent();
    }

    /** Returns the last requested write. */
    public ConditionalOperation lastWrite() {
        return lastWrite.orElseThrow();
    }

    @Override
    public ReadReply read(Principal principal, Deadline deadline, DocumentId id, ReadHold hold) {
        lastDeadline = deadline;
        if (readReply.isPresent()) {
            return readReply.get();
        }
        Document document = documents.get(id);
        return new ReadReply.Answered(
                document == null ? new GetReply.Missing() : new GetReply.Found(document, 1_000));
    }

    @Override
    public WriteResult write(
            Principal principal, Deadline deadline, ConditionalOperation operation) {
        lastDeadline = deadline;
        lastWrite = Optional.of(operation);
        WriteResult reply = writeResult.get();
        if (reply instanceof WriteResult.Answered(WriteReply.Stored _)) {
            switch (operation.operation()) {
                case DocumentOperation.Put(Document document) ->
                        documents.put(document.id(), document);
                case DocumentOperation.Update(DocumentId id, var updates) ->
                        documents.computeIfPresent(
                                id,
                                (_, before) ->
                                        new Document(
                                                id,
                                                FieldUpdates.apply(
                                                        updates,
                                                        Objects.requireNonNull(
                                                                        DocumentHandlerTest.model()
                                                                                .schemas()
                                                                                .get("music"))
                                                                .documentType(),
                                                        before.fields())));
                case DocumentOperation.Remove(DocumentId id) -> documents.remove(id);
            }
        }
        return reply;
    }
}
