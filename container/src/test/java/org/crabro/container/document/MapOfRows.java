package org.crabro.container.document;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.FieldValue;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.DocumentOperation.Put;
import org.crabro.document.operation.DocumentOperation.Remove;
import org.crabro.document.operation.DocumentOperation.Update;
import org.crabro.document.operation.FieldUpdate;
import org.crabro.document.operation.FieldUpdates;
import org.crabro.document.select.SelectedDocument;
import org.crabro.document.select.Selection;
import org.crabro.document.select.SelectionTypes;
import org.crabro.document.select.Truth;
import org.crabro.protocol.cluster.PartitionPosition;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.ReadHold;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;

/** Keeps the documents of rows in a map, in the order in which they come. */
public final class MapOfRows implements BulkWrites, DocumentReads, DocumentWrites {
    private final ApplicationModel model;
    private final Map<String, Map<String, FieldValue>> documents = new HashMap<>();
    private final List<Integer> batches = new ArrayList<>();
    private int conditionalRows;
    private int conditionalValues;
    private int reads;
    private Function<Write.Row, WriteReply> replies =
            write -> new WriteReply.Stored(1, new PartitionPosition(write.partition(), 1));

    public MapOfRows(ApplicationModel model) {
        this.model = model;
    }

    /** Asks {@code decision} of each write from here on. */
    public void answer(Function<Write.Row, WriteReply> decision) {
        replies = decision;
    }

    /** Returns the fields of documents by id. */
    public synchronized Map<String, Map<String, FieldValue>> documents() {
        return Map.copyOf(documents);
    }

    /** Returns how many writes came together, each time. */
    public synchronized List<Integer> batches() {
        return List.copyOf(batches);
    }

    @Override
    public int partition(DocumentId id) {
        return Partitions.DEFAULT.of(id.location());
    }

    @Override
    public synchronized List<WriteResult> write(
            Principal principal, Deadline deadline, List<Write.Row> writes) {
        batches.add(writes.size());
        var answers = new ArrayList<WriteResult>();
        for (Write.Row write : writes) {
            WriteReply reply = replies.apply(write);
            if (reply instanceof WriteReply.Stored) {
                keep(write);
            }
            answers.add(new WriteResult.Answered(reply));
        }
        return answers;
    }

    /** Handles a row as the document that it encodes. */
    @Override
    public synchronized WriteResult write(Principal principal, Deadline deadline, Write.Row asked) {
        if (asked.condition().isNone()) {
            return write(principal, deadline, List.of(asked)).getFirst();
        }
        conditionalRows++;
        Row row = RowEncoding.decode(MemorySegment.ofArray(asked.bytes()), type(asked.id()));
        return answer(
                new ConditionalOperation(
                        new Put(new Document(row.id(), row.fields())),
                        asked.condition(),
                        asked.create()));
    }

    /** Returns how many documents came as values with a condition. */
    public synchronized int conditionalValues() {
        return conditionalValues;
    }

    /** Returns how many rows came with a condition. */
    public synchronized int conditionalRows() {
        return conditionalRows;
    }

    /** Returns how many documents were read. */
    public synchronized int reads() {
        return reads;
    }

    @Override
    public synchronized ReadReply read(
            Principal principal, Deadline deadline, DocumentId id, ReadHold hold) {
        reads++;
        Map<String, FieldValue> fields = documents.get(id.toString());
        return new ReadReply.Answered(
                fields == null
                        ? new GetReply.Missing()
                        : new GetReply.Found(new Document(id, fields), 1));
    }

    /** Follows the table of {@link ConditionalOperation}. */
    @Override
    public synchronized WriteResult write(
            Principal principal, Deadline deadline, ConditionalOperation asked) {
        if (asked.operation() instanceof Put && !asked.condition().isNone()) {
            conditionalValues++;
        }
        return answer(asked);
    }

    private WriteResult answer(ConditionalOperation asked) {
        batches.add(1);
        try {
            return new WriteResult.Answered(carryOut(asked));
        } catch (IllegalArgumentException e) {
            return new WriteResult.Answered(
                    new WriteReply.Rejected(String.valueOf(e.getMessage())));
        }
    }

    private WriteReply carryOut(ConditionalOperation asked) {
        DocumentId id = asked.id();
        String key = id.toString();
        DocumentType type = type(id);
        Optional<Document> stored =
                Optional.ofNullable(documents.get(key)).map(fields -> new Document(id, fields));
        boolean makes = asked.create() && !(asked.operation() instanceof Remove);
        if (asked.condition().selection().isPresent()) {
            Selection selection =
                    Selection.parse(
                            asked.condition().selection().get(), SelectionTypes.of(List.of(type)));
            boolean holds =
                    stored.map(document ->
                                    selection.of(SelectedDocument.of(document), 0) == Truth.TRUE)
                            .orElse(makes);
            if (!holds) {
                return new WriteReply.ConditionNotMet(stored.isPresent());
            }
        }
        switch (asked.operation()) {
            case Put(Document document) -> documents.put(key, document.fields());
            case Remove _ -> documents.remove(key);
            case Update(_, List<FieldUpdate> updates) -> {
                if (stored.isEmpty() && !makes) {
                    return new WriteReply.Missing();
                }
                documents.put(
                        key,
                        FieldUpdates.apply(
                                updates, type, stored.map(Document::fields).orElse(Map.of())));
            }
        }
        return new WriteReply.Stored(1, new PartitionPosition(partition(id), 1));
    }

    private DocumentType type(DocumentId id) {
        return Objects.requireNonNull(model.schemas().get(id.documentType())).documentType();
    }

    private void keep(Write.Row write) {
        Row row = RowEncoding.decode(MemorySegment.ofArray(write.bytes()), type(write.id()));
        if (row.tombstone()) {
            documents.remove(row.id().toString());
        } else {
            documents.put(row.id().toString(), row.fields());
        }
    }
}
