package org.crabro.content.node;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.crabro.config.schema.Schema;
import org.crabro.content.storage.block.ValueBudget.NoRoomException;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.store.DocumentStore;
import org.crabro.content.storage.store.PartitionClosedException;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.InvalidDocumentException;
import org.crabro.document.memory.MemoryRefusedException;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.protocol.feed.OperationId;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.feed.WriteRequest;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.RequestHeader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Performs writes: validates the request, and writes through the store. */
final class WriteRequests {
    private static final Logger LOG = LoggerFactory.getLogger(WriteRequests.class);

    private final NodePlace place;
    private final DocumentStore store;
    private final ActiveModel active;
    private final RowBatches batches;
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
            RowBatches batches,
            ReadingWrites readingWrites,
            Duration retryAfter) {
        this.place = place;
        this.store = store;
        this.active = active;
        this.batches = batches;
        this.readingWrites = readingWrites;
        this.retryAfter = retryAfter;
    }

    /**
     * Performs the writes of a request, in the order that {@link WriteRequest} describes.
     *
     * @return the reply to each, in the order of the request
     */
    List<WriteReply> write(WriteRequest request) {
        List<Write> writes = request.writes();
        var replies = new WriteReply[writes.size()];
        writeRows(request, replies);
        for (int i = 0; i < replies.length; i++) {
            if (replies[i] == null) {
                replies[i] = write(request.header(), writes.get(i), id(request, i));
            }
        }
        return List.of(replies);
    }

    private static Optional<OperationId> id(WriteRequest request, int index) {
        return request.ids().isEmpty() ? Optional.empty() : Optional.of(request.ids().get(index));
    }

    /** Writes the rows without a condition together, and sets their replies. */
    private void writeRows(WriteRequest request, WriteReply[] replies) {
        List<Write> writes = request.writes();
        List<Write.Row> rows = new ArrayList<>(replies.length);
        int[] indexes = new int[replies.length];
        for (int i = 0; i < replies.length; i++) {
            if (writes.get(i) instanceof Write.Row row && row.condition().isNone()) {
                indexes[rows.size()] = i;
                rows.add(row);
            }
        }
        if (rows.isEmpty()) {
            return;
        }
        List<OperationId> ids =
                request.ids().isEmpty() || rows.size() == writes.size()
                        ? request.ids()
                        : Arrays.stream(indexes, 0, rows.size())
                                .mapToObj(request.ids()::get)
                                .toList();
        List<WriteReply> written = writeRows(request.header(), rows, ids);
        for (int i = 0; i < written.size(); i++) {
            replies[indexes[i]] = withCluster(written.get(i), rows.get(i).id().documentType());
        }
    }

    private List<WriteReply> writeRows(
            RequestHeader header, List<Write.Row> rows, List<OperationId> ids) {
        if (header.stateVersion() <= place.stateVersion()) {
            try {
                return batches.write(rows, ids, header.deadline());
            } catch (PartitionClosedException _) {
                // It is thrown before the first row is written.
            }
        }
        return Collections.nCopies(rows.size(), new WriteReply.WrongOwner(place.stateVersion()));
    }

    /**
     * Performs a write.
     *
     * @param id of a sender that may send it again
     */
    WriteReply write(RequestHeader header, Write write, Optional<OperationId> id) {
        if (!place.owns(header, write.partition())) {
            return new WriteReply.WrongOwner(place.stateVersion());
        }
        try {
            return perform(write, header.deadline(), id);
        } catch (PartitionClosedException _) {
            return new WriteReply.WrongOwner(place.stateVersion());
        }
    }

    private WriteReply perform(Write write, Deadline deadline, Optional<OperationId> id) {
        return switch (write) {
            case Write.Row row -> withCluster(write(row, deadline, id), row.id().documentType());
            case Write.Operation operation ->
                    withCluster(
                            write(operation, deadline, id),
                            operation.operation().id().documentType());
            case Write.RemoveGroup removal ->
                    withCluster(remove(removal, deadline, id), removal.documentType());
        };
    }

    private WriteReply write(Write.Row row, Deadline deadline, Optional<OperationId> id) {
        if (row.condition().isNone()) {
            return batches.write(row, id, deadline);
        }
        Optional<WriteReply> refusal = batches.refusal(row);
        if (refusal.isPresent()) {
            return refusal.get();
        }
        String type = row.id().documentType();
        return active.schema(type)
                .map(Schema::documentType)
                .map(of ->
                        readAndWrite(
                                row.id(),
                                () -> readingWrites.write(row, context(of, deadline, id))))
                .orElseGet(() -> new WriteReply.Rejected(ActiveModel.unknownType(type)));
    }

    private WriteReply write(Write.Operation write, Deadline deadline, Optional<OperationId> id) {
        ConditionalOperation operation = write.operation();
        DocumentId document = operation.id();
        int partition = place.partitions().of(document.location());
        if (partition != write.partition()) {
            return new WriteReply.Rejected(
                    "%s is of partition %d, not %d"
                            .formatted(document, partition, write.partition()));
        }
        Optional<Schema> schema = active.schema(document.documentType());
        if (schema.isEmpty()) {
            return new WriteReply.Rejected(ActiveModel.unknownType(document.documentType()));
        }
        DocumentType type = schema.get().documentType();
        if (ReadingWrites.isAsked(operation)) {
            return readAndWrite(
                    document, () -> readingWrites.write(write, type, context(type, deadline, id)));
        }
        byte[] row;
        try {
            row = row(operation.operation(), type);
        } catch (IllegalArgumentException e) {
            return new WriteReply.Rejected(String.valueOf(e.getMessage()));
        }
        return store.write(new Write.Row(partition, document, row), id, deadline);
    }

    /** Reads stored documents as documents of the active type. */
    private ReadingWrites.Context context(
            DocumentType type, Deadline deadline, Optional<OperationId> id) {
        return new ReadingWrites.Context(
                deadline,
                id,
                stored -> StoredDocument.of(stored, store.type(stored.fingerprint()), type));
    }

    /** A write that reads the stored document. */
    private interface ReadingWrite {
        WriteReply run() throws TimeoutException, InterruptedException;
    }

    private WriteReply readAndWrite(DocumentId id, ReadingWrite write) {
        try {
            return write.run();
        } catch (NoRoomException _) {
            return new WriteReply.Overloaded(retryAfter);
        } catch (MemoryRefusedException e) {
            return e.isTooLarge()
                    ? new WriteReply.TooLarge(String.valueOf(e.getMessage()))
                    : new WriteReply.Overloaded(retryAfter);
        } catch (TimeoutException _) {
            return new WriteReply.TimedOut();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return new WriteReply.TimedOut();
        } catch (CorruptRunException | InternalError e) {
            LOG.error("{} cannot be read", id, e);
            return new WriteReply.Failed(String.valueOf(e.getMessage()));
        }
    }

    private WriteReply remove(
            Write.RemoveGroup removal, Deadline deadline, Optional<OperationId> id) {
        String type = removal.documentType();
        DocumentId any;
        try {
            any = new DocumentId("any", type, removal.group(), "any");
        } catch (InvalidDocumentException e) {
            return new WriteReply.Rejected(String.valueOf(e.getMessage()));
        }
        int partition = place.partitions().of(any.location());
        if (partition != removal.partition()) {
            return new WriteReply.Rejected(
                    "'%s' is of partition %d, not %d"
                            .formatted(removal.group().text(), partition, removal.partition()));
        }
        Optional<Schema> schema = active.schema(type);
        if (schema.isEmpty()) {
            return new WriteReply.Rejected(ActiveModel.unknownType(type));
        }
        return store.removeGroup(
                partition, schema.get().documentType(), removal.group(), id, deadline);
    }

    /** Adds the cluster to the reply of a sender whose feed is blocked. */
    private WriteReply withCluster(WriteReply reply, String documentType) {
        return reply instanceof WriteReply.OutOfSpace(String reason)
                ? new WriteReply.OutOfSpace(blocked(documentType, reason))
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
