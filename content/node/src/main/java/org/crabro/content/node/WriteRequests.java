package org.crabro.content.node;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.crabro.config.schema.Schema;
import org.crabro.content.storage.block.ValueBudget.NoRoomException;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.store.DocumentStore;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.InvalidDocumentException;
import org.crabro.document.memory.MemoryRefusedException;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.protocol.feed.EncodedWrite;
import org.crabro.protocol.feed.FeedBatchRequest;
import org.crabro.protocol.feed.FeedReply;
import org.crabro.protocol.feed.FeedRequest;
import org.crabro.protocol.feed.FeedRowRequest;
import org.crabro.protocol.feed.RemoveGroupRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Performs writes: validates the request, and writes through the store. */
final class WriteRequests {
    private static final Logger LOG = LoggerFactory.getLogger(WriteRequests.class);

    private final NodePlace place;
    private final DocumentStore store;
    private final ActiveModel active;
    private final BatchFeed batches;
    private final ReadingWrites readingWrites;
    private final Duration retryAfter;

    /**
     * @param retryAfter the time after which a sender may retry if there is no memory for the
     *     stored document
     */
    WriteRequests(
            NodePlace place,
            DocumentStore store,
            ActiveModel active,
            BatchFeed batches,
            ReadingWrites readingWrites,
            Duration retryAfter) {
        this.place = place;
        this.store = store;
        this.active = active;
        this.batches = batches;
        this.readingWrites = readingWrites;
        this.retryAfter = retryAfter;
    }

    /** Performs an operation. */
    FeedReply write(FeedRequest request) {
        if (!place.owns(request.header(), request.partition())) {
            return new FeedReply.WrongOwner(place.stateVersion());
        }
        DocumentId id = request.operation().id();
        int partition = place.partitions().of(id.location());
        if (partition != request.partition()) {
            return new FeedReply.Rejected(
                    "%s is of partition %d, not %d".formatted(id, partition, request.partition()));
        }
        Optional<Schema> schema = active.schema(id.documentType());
        if (schema.isEmpty()) {
            return new FeedReply.Rejected(ActiveModel.unknownType(id.documentType()));
        }
        DocumentType type = schema.get().documentType();
        FeedReply reply =
                ReadingWrites.isAsked(request)
                        ? readAndWrite(
                                id, type, stored -> readingWrites.write(request, type, stored))
                        : write(request, type);
        return withCluster(reply, id.documentType());
    }

    private FeedReply write(FeedRequest request, DocumentType type) {
        byte[] row;
        try {
            row = row(request.operation(), type);
        } catch (IllegalArgumentException e) {
            return new FeedReply.Rejected(String.valueOf(e.getMessage()));
        }
        return store.write(
                new EncodedWrite(request.partition(), request.operation().id(), row),
                request.id(),
                request.header().deadline());
    }

    /** Writes a row if its condition holds. */
    FeedReply write(FeedRowRequest request) {
        EncodedWrite write = request.write().write();
        DocumentId id = write.id();
        if (!place.owns(request.header(), write.partition())) {
            return new FeedReply.WrongOwner(place.stateVersion());
        }
        Optional<FeedReply> refusal = batches.refusal(write);
        if (refusal.isPresent()) {
            return refusal.get();
        }
        Optional<Schema> schema = active.schema(id.documentType());
        if (schema.isEmpty()) {
            return new FeedReply.Rejected(ActiveModel.unknownType(id.documentType()));
        }
        FeedReply reply =
                readAndWrite(
                        id,
                        schema.get().documentType(),
                        stored -> readingWrites.write(request, stored));
        return withCluster(reply, id.documentType());
    }

    /** A write that reads the stored document as a document of the active type. */
    private interface ReadingWrite {
        FeedReply write(Function<Row, Document> stored)
                throws TimeoutException, InterruptedException;
    }

    private FeedReply readAndWrite(DocumentId id, DocumentType type, ReadingWrite write) {
        try {
            return write.write(
                    stored -> StoredDocument.of(stored, store.type(stored.fingerprint()), type));
        } catch (NoRoomException _) {
            return new FeedReply.Overloaded(retryAfter);
        } catch (MemoryRefusedException e) {
            return e.isTooLarge()
                    ? new FeedReply.TooLarge(String.valueOf(e.getMessage()))
                    : new FeedReply.Overloaded(retryAfter);
        } catch (TimeoutException _) {
            return new FeedReply.TimedOut();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return new FeedReply.TimedOut();
        } catch (CorruptRunException | InternalError e) {
            LOG.error("{} cannot be read", id, e);
            return new FeedReply.Failed(String.valueOf(e.getMessage()));
        }
    }

    /** Writes many rows; returns the reply to each. */
    List<FeedReply> write(FeedBatchRequest request) {
        List<EncodedWrite> writes = request.writes();
        if (request.header().stateVersion() > place.stateVersion()) {
            return Collections.nCopies(
                    writes.size(), new FeedReply.WrongOwner(place.stateVersion()));
        }
        List<FeedReply> replies = batches.write(request);
        List<FeedReply> told = new ArrayList<>(replies.size());
        for (int i = 0; i < replies.size(); i++) {
            told.add(withCluster(replies.get(i), writes.get(i).id().documentType()));
        }
        return told;
    }

    /** Removes a group. */
    FeedReply remove(RemoveGroupRequest request) {
        if (!place.owns(request.header(), request.partition())) {
            return new FeedReply.WrongOwner(place.stateVersion());
        }
        String type = request.documentType();
        DocumentId any;
        try {
            any = new DocumentId("any", type, request.group(), "any");
        } catch (InvalidDocumentException e) {
            return new FeedReply.Rejected(String.valueOf(e.getMessage()));
        }
        int partition = place.partitions().of(any.location());
        if (partition != request.partition()) {
            return new FeedReply.Rejected(
                    "'%s' is of partition %d, not %d"
                            .formatted(request.group().text(), partition, request.partition()));
        }
        Optional<Schema> schema = active.schema(type);
        if (schema.isEmpty()) {
            return new FeedReply.Rejected(ActiveModel.unknownType(type));
        }
        return withCluster(
                store.removeGroup(
                        partition,
                        schema.get().documentType(),
                        request.group(),
                        request.id(),
                        request.header().deadline()),
                type);
    }

    /** Adds the cluster to the reply of a sender whose feed is blocked. */
    private FeedReply withCluster(FeedReply reply, String documentType) {
        return reply instanceof FeedReply.OutOfSpace(String reason)
                ? new FeedReply.OutOfSpace(blocked(documentType, reason))
                : reply;
    }

    private String blocked(String documentType, String reason) {
        return "external feed is blocked due to resource exhaustion"
                + active.cluster(documentType)
                        .map(id -> ", in content cluster '" + id + "'")
                        .orElse("")
                + ": "
                + reason;
    }

    private static byte[] row(DocumentOperation operation, DocumentType type) {
        Row row =
                switch (operation) {
                    case DocumentOperation.Put(Document document) ->
                            new Row(document.id(), 0, type.fingerprint(), false, document.fields());
                    case DocumentOperation.Update update ->
                            throw new IllegalArgumentException(
                                    "an update has no row without its document: " + update);
                    case DocumentOperation.Remove(DocumentId id) ->
                            new Row(id, 0, type.fingerprint(), true, Map.of());
                };
        return RowEncoding.encode(row, type);
    }
}
