package org.crabro.container.bulk;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.schema.Schema;
import org.crabro.container.document.DocumentReads;
import org.crabro.container.document.ReadReply;
import org.crabro.container.document.WriteReply;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.protocol.cluster.PartitionPosition;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.protocol.feed.EncodedWrite;
import org.crabro.protocol.feed.FeedReply;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;

/** Keeps the documents of rows in a map, in the order in which they come. */
final class MapOfRows implements BulkWrites, DocumentReads {
    private final ApplicationModel model;
    private final Map<String, Map<String, FieldValue>> documents = new HashMap<>();
    private final List<Integer> batches = new ArrayList<>();
    private Function<EncodedWrite, FeedReply> replies =
            write -> new FeedReply.Stored(1, new PartitionPosition(write.partition(), 1));

    MapOfRows(ApplicationModel model) {
        this.model = model;
    }

    /** Asks {@code decision} of each write from here on. */
    void answer(Function<EncodedWrite, FeedReply> decision) {
        replies = decision;
    }

    /** Returns the fields of documents by id. */
    synchronized Map<String, Map<String, FieldValue>> documents() {
        return Map.copyOf(documents);
    }

    /** Returns how many writes came together, each time. */
    synchronized List<Integer> batches() {
        return List.copyOf(batches);
    }

    @Override
    public int partition(DocumentId id) {
        return Partitions.DEFAULT.of(id.location());
    }

    @Override
    public synchronized List<WriteReply> write(
            Principal principal, Deadline deadline, List<EncodedWrite> writes) {
        batches.add(writes.size());
        var answers = new ArrayList<WriteReply>();
        for (EncodedWrite write : writes) {
            FeedReply reply = replies.apply(write);
            if (reply instanceof FeedReply.Stored) {
                keep(write);
            }
            answers.add(new WriteReply.Answered(reply));
        }
        return answers;
    }

    @Override
    public synchronized ReadReply read(Principal principal, Deadline deadline, DocumentId id) {
        Map<String, FieldValue> fields = documents.get(id.toString());
        return new ReadReply.Answered(
                fields == null
                        ? new GetReply.Missing()
                        : new GetReply.Found(new Document(id, fields), 1));
    }

    private void keep(EncodedWrite write) {
        Schema schema = Objects.requireNonNull(model.schemas().get(write.id().documentType()));
        Row row = RowEncoding.decode(MemorySegment.ofArray(write.row()), schema.documentType());
        if (row.tombstone()) {
            documents.remove(row.id().toString());
        } else {
            documents.put(row.id().toString(), row.fields());
        }
    }
}
