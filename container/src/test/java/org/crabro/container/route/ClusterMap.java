package org.crabro.container.route;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.crabro.container.document.ClusterDocuments;
import org.crabro.container.document.ReadReply;
import org.crabro.container.document.WriteResult;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.FieldValue;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.document.operation.FieldUpdates;
import org.crabro.document.operation.WriteCondition;
import org.crabro.document.select.SelectedDocument;
import org.crabro.document.select.Selection;
import org.crabro.document.select.SelectionTypes;
import org.crabro.document.select.Truth;
import org.crabro.protocol.cluster.PartitionPosition;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.ReadHold;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.jspecify.annotations.Nullable;

/** The documents of a content cluster in a map, which follows conditions as a node does. */
final class ClusterMap implements ClusterDocuments {
    private final DocumentType type;
    private final Map<DocumentId, Document> documents = new HashMap<>();
    private final Map<DocumentId, Long> timestamps = new HashMap<>();
    private final Map<DocumentId, byte[]> rows = new HashMap<>();
    private final List<WriteReply> failures = new ArrayList<>();
    private Optional<GetReply> readFailure = Optional.empty();
    private long clock;
    private int reads;

    /**
     * @param firstTimestamp each cluster has timestamps of its own
     */
    ClusterMap(DocumentType type, long firstTimestamp) {
        this.type = type;
        this.clock = firstTimestamp;
    }

    Map<DocumentId, Document> documents() {
        return documents;
    }

    /** Returns the timestamp in the last row of a document that was written in a batch. */
    long stampedTimestamp(DocumentId id) {
        return RowEncoding.timestamp(MemorySegment.ofArray(Objects.requireNonNull(rows.get(id))));
    }

    long timestamp(DocumentId id) {
        return timestamps.getOrDefault(id, WriteCondition.ABSENT);
    }

    int reads() {
        return reads;
    }

    /** Answers the next writes so, without writing. */
    void fail(WriteReply... replies) {
        failures.addAll(List.of(replies));
    }

    /** Answers all reads so from now on. */
    void failReads(GetReply reply) {
        readFailure = Optional.of(reply);
    }

    @Override
    public ReadReply read(Principal principal, Deadline deadline, DocumentId id, ReadHold hold) {
        reads++;
        if (readFailure.isPresent()) {
            return new ReadReply.Answered(readFailure.get());
        }
        Document stored = documents.get(id);
        return new ReadReply.Answered(
                stored == null
                        ? new GetReply.Missing()
                        : new GetReply.Found(stored, timestamps.getOrDefault(id, 0L)));
    }

    @Override
    public WriteResult write(
            Principal principal, Deadline deadline, ConditionalOperation operation) {
        return new WriteResult.Answered(
                failures.isEmpty() ? written(operation) : failures.removeFirst());
    }

    private WriteReply written(ConditionalOperation operation) {
        DocumentId id = operation.id();
        Document before = documents.get(id);
        Optional<WriteReply> refusal = refusal(operation, before);
        if (refusal.isPresent()) {
            return refusal.get();
        }
        switch (operation.operation()) {
            case DocumentOperation.Put(Document document) -> documents.put(id, document);
            case DocumentOperation.Remove _ -> documents.remove(id);
            case DocumentOperation.Update(DocumentId _, var updates) -> {
                if (before == null && !operation.create()) {
                    return new WriteReply.Missing();
                }
                Map<String, FieldValue> fields = before == null ? Map.of() : before.fields();
                documents.put(id, new Document(id, FieldUpdates.apply(updates, type, fields)));
            }
        }
        clock++;
        timestamps.put(id, clock);
        return new WriteReply.Stored(clock, new PartitionPosition(0, clock));
    }

    private Optional<WriteReply> refusal(
            ConditionalOperation operation, @Nullable Document before) {
        WriteCondition condition = operation.condition();
        long seen = before == null ? WriteCondition.ABSENT : timestamp(before.id());
        boolean isMet =
                condition.timestamp().orElse(seen) == seen
                        && (before == null
                                ? condition.selection().isEmpty() || operation.create()
                                : condition.selection().isEmpty()
                                        || Selection.parse(
                                                                condition.selection().get(),
                                                                SelectionTypes.of(List.of(type)))
                                                        .of(SelectedDocument.of(before), 0)
                                                == Truth.TRUE);
        return isMet
                ? Optional.empty()
                : Optional.of(new WriteReply.ConditionNotMet(before != null));
    }

    @Override
    public WriteResult write(Principal principal, Deadline deadline, Write.Row row) {
        return write(
                principal,
                deadline,
                new ConditionalOperation(operation(row), row.condition(), row.create()));
    }

    @Override
    public List<WriteResult> write(Principal principal, Deadline deadline, List<Write.Row> writes) {
        List<WriteResult> replies = new ArrayList<>();
        for (Write.Row each : writes) {
            replies.add(write(principal, deadline, ConditionalOperation.always(operation(each))));
            RowEncoding.stamp(each.bytes(), clock);
            rows.put(each.id(), each.bytes());
        }
        return replies;
    }

    private DocumentOperation operation(Write.Row write) {
        Row row = RowEncoding.decode(MemorySegment.ofArray(write.bytes()), type);
        return row.tombstone()
                ? new DocumentOperation.Remove(write.id())
                : new DocumentOperation.Put(new Document(write.id(), row.fields()));
    }

    @Override
    public int partition(DocumentId id) {
        return 0;
    }

    /** Returns a deadline that no test reaches. */
    static Deadline later() {
        return Deadline.after(Duration.ofMinutes(5));
    }
}
