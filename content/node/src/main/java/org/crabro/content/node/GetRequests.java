package org.crabro.content.node;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.crabro.config.schema.Schema;
import org.crabro.content.storage.block.ValueBudget.NoRoomException;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.store.DocumentStore;
import org.crabro.content.storage.store.PartitionClosedException;
import org.crabro.document.Document;
import org.crabro.document.DocumentType;
import org.crabro.document.memory.MemoryRefusedException;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.GetRequest;
import org.crabro.protocol.feed.ReadHold;
import org.crabro.protocol.wire.RequestHeader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads single documents. */
final class GetRequests {
    private static final Logger LOG = LoggerFactory.getLogger(GetRequests.class);

    private final NodePlace place;
    private final DocumentStore store;
    private final ActiveModel active;
    private final PointReads reads;
    private final Duration retryAfter;

    /**
     * @param retryAfter the time after which a client may retry if there is no memory for the
     *     document
     */
    GetRequests(
            NodePlace place,
            DocumentStore store,
            ActiveModel active,
            PointReads reads,
            Duration retryAfter) {
        this.place = place;
        this.store = store;
        this.active = active;
        this.reads = reads;
        this.retryAfter = retryAfter;
    }

    /** Reads a document; its values are held until {@code hold} is closed. */
    GetReply get(GetRequest request, ReadHold hold) {
        try {
            return read(request, hold);
        } catch (PartitionClosedException _) {
            return new GetReply.WrongOwner(place.stateVersion());
        } catch (NoRoomException _) {
            return new GetReply.Overloaded(retryAfter);
        } catch (MemoryRefusedException e) {
            if (e.isTooLarge()) {
                throw e;
            }
            return new GetReply.Overloaded(retryAfter);
        } catch (TimeoutException _) {
            return new GetReply.TimedOut();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return new GetReply.TimedOut();
        } catch (CorruptRunException | InternalError e) {
            LOG.error("{} cannot be read", request.id(), e);
            return new GetReply.Failed(String.valueOf(e.getMessage()));
        }
    }

    private GetReply read(GetRequest request, ReadHold hold)
            throws TimeoutException, InterruptedException {
        RequestHeader header = request.header();
        if (!place.owns(header, request.partition())) {
            return new GetReply.WrongOwner(place.stateVersion());
        }
        long replacements = store.replacements();
        switch (store.awaitCurrent(List.of(request.partition()), header.deadline())) {
            case CURRENT -> {
                // The document is read below.
            }
            case ELSEWHERE -> {
                return new GetReply.WrongOwner(place.stateVersion());
            }
            case TIMED_OUT -> {
                return new GetReply.TimedOut();
            }
        }
        if (request.atLeast().isPresent()
                && !store.await(request.atLeast().get(), header.deadline())) {
            return new GetReply.TimedOut();
        }
        Optional<Row> newest =
                reads.newest(request.partition(), request.id(), header.deadline(), hold);
        store.checkReplacements(request.partition(), replacements);
        Optional<Schema> schema = active.schema(request.id().documentType());
        if (newest.isEmpty() || newest.get().tombstone() || schema.isEmpty()) {
            return new GetReply.Missing();
        }
        Row row = newest.get();
        Optional<DocumentType> written = store.type(row.fingerprint());
        Document document = StoredDocument.of(row, written, schema.get().documentType());
        return new GetReply.Found(document, row.timestamp());
    }
}
