package org.crabro.content.node;

import java.lang.foreign.MemorySegment;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.crabro.content.storage.file.ScanStoppedException;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.content.storage.store.DocumentStore;
import org.crabro.content.storage.store.RowMaking.Made;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.FieldValue;
import org.crabro.document.operation.CreatedCells;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.document.operation.FieldChange;
import org.crabro.document.operation.FieldUpdate;
import org.crabro.document.operation.FieldUpdates;
import org.crabro.document.operation.WriteCondition;
import org.crabro.document.select.InvalidSelectionException;
import org.crabro.document.select.SelectedDocument;
import org.crabro.document.select.Selection;
import org.crabro.document.select.SelectionTypes;
import org.crabro.document.select.Truth;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.protocol.feed.ConditionalWrite;
import org.crabro.protocol.feed.FeedReply;
import org.crabro.protocol.feed.FeedRequest;
import org.crabro.protocol.feed.FeedRowRequest;
import org.crabro.protocol.feed.OperationId;
import org.crabro.protocol.feed.ReadHold;
import org.crabro.protocol.wire.Deadline;

/**
 * Performs operations that depend on the stored document: updates, and operations with a condition,
 * including rows that are already encoded. No other write of the document is applied between the
 * read and the write. The journal contains the whole new row, as for a put.
 */
final class ReadingWrites {
    private final DocumentStore store;
    private final PointReads reads;
    private final InstantSource clock;
    private final Supplier<SelectionTypes> types;

    /**
     * @param types the types that conditions may name
     */
    ReadingWrites(
            DocumentStore store,
            PointReads reads,
            InstantSource clock,
            Supplier<SelectionTypes> types) {
        this.store = store;
        this.reads = reads;
        this.clock = clock;
        this.types = types;
    }

    /** Returns whether an operation depends on the stored document. */
    static boolean isAsked(FeedRequest request) {
        return !request.condition().isNone()
                || request.operation() instanceof DocumentOperation.Update;
    }

    /**
     * Performs an operation.
     *
     * @param type the active type of the document
     * @param documents returns the fields of a row that the active type has
     * @throws TimeoutException if the deadline passes while the document is read
     */
    FeedReply write(FeedRequest request, DocumentType type, Function<Row, Document> documents)
            throws TimeoutException, InterruptedException {
        DocumentOperation operation = request.operation();
        boolean makes = request.create() && !(operation instanceof DocumentOperation.Remove);
        var asked =
                new Asked(
                        request.partition(),
                        operation.id(),
                        request.condition(),
                        makes,
                        new Growth(mayGrow(operation), createdBytes(operation, type)));
        return write(
                asked,
                request.id(),
                request.header().deadline(),
                documents,
                document -> made(request, type, document));
    }

    /**
     * Writes a row.
     *
     * @param documents returns the fields of a row that the active type has
     * @throws TimeoutException if the deadline passes while the document is read
     */
    FeedReply write(FeedRowRequest request, Function<Row, Document> documents)
            throws TimeoutException, InterruptedException {
        ConditionalWrite write = request.write();
        byte[] row = write.write().row();
        boolean isPut = !RowEncoding.isTombstone(MemorySegment.ofArray(row));
        var asked =
                new Asked(
                        write.write().partition(),
                        write.write().id(),
                        write.condition(),
                        write.create() && isPut,
                        new Growth(isPut, 0));
        return write(
                asked,
                request.id(),
                request.header().deadline(),
                documents,
                _ -> Made.row(row, isPut));
    }

    /**
     * A write, without its new row.
     *
     * @param makes whether it creates a missing document without evaluating the selection
     */
    private record Asked(
            int partition, DocumentId id, WriteCondition condition, boolean makes, Growth growth) {}

    /**
     * The space that a write may need.
     *
     * @param mayGrow whether it is refused if the disk is too full for documents
     * @param createdBytes the maximum heap size of its values, in addition to the stored document
     */
    private record Growth(boolean mayGrow, long createdBytes) {}

    private FeedReply write(
            Asked asked,
            Optional<OperationId> operation,
            Deadline deadline,
            Function<Row, Document> documents,
            Function<Optional<Document>, Made> making)
            throws TimeoutException, InterruptedException {
        Optional<Selection> selection;
        try {
            selection =
                    asked.condition().selection().map(text -> Selection.parse(text, types.get()));
        } catch (InvalidSelectionException e) {
            return new FeedReply.Rejected("the condition is wrong: " + e.getMessage());
        }
        return store.write(
                asked.partition(),
                asked.id(),
                asked.growth().mayGrow(),
                () -> {
                    try (var hold = new ReadHold()) {
                        Optional<Row> newest =
                                reads.newest(
                                        asked.partition(),
                                        asked.id(),
                                        asked.growth().createdBytes(),
                                        deadline,
                                        hold);
                        return made(
                                asked,
                                selection,
                                newest.filter(row -> !row.tombstone()),
                                documents,
                                deadline,
                                making);
                    }
                },
                operation,
                deadline);
    }

    private Made made(
            Asked asked,
            Optional<Selection> selection,
            Optional<Row> stored,
            Function<Row, Document> documents,
            Deadline deadline,
            Function<Optional<Document>, Made> making) {
        WriteCondition condition = asked.condition();
        long seen = stored.map(Row::timestamp).orElse(WriteCondition.ABSENT);
        if (condition.timestamp().isPresent() && condition.timestamp().getAsLong() != seen) {
            return Made.nothing(new FeedReply.ConditionNotMet(stored.isPresent()));
        }
        Optional<Document> document = stored.map(documents);
        try {
            if (selection.isPresent()
                    && !holds(selection.get(), document, asked.makes(), deadline)) {
                return Made.nothing(new FeedReply.ConditionNotMet(stored.isPresent()));
            }
        } catch (ScanStoppedException e) {
            return Made.nothing(new FeedReply.TimedOut());
        } catch (StackOverflowError e) {
            return Made.nothing(
                    new FeedReply.Rejected("the condition is nested too deeply to be evaluated"));
        }
        try {
            return making.apply(document);
        } catch (IllegalArgumentException e) {
            return Made.nothing(new FeedReply.Rejected(String.valueOf(e.getMessage())));
        }
    }

    private boolean holds(
            Selection selection, Optional<Document> document, boolean makes, Deadline deadline) {
        if (document.isEmpty()) {
            return makes;
        }
        long now = clock.instant().getEpochSecond();
        var work = new WorkMeter();
        work.begin(deadline::hasPassed);
        return selection.of(SelectedDocument.of(document.get()), now, work) == Truth.TRUE;
    }

    private static Made made(FeedRequest request, DocumentType type, Optional<Document> document) {
        return switch (request.operation()) {
            case DocumentOperation.Put(var put) -> Made.row(row(type, put), true);
            case DocumentOperation.Remove(var id) -> {
                var tombstone = new Row(id, 0, type.fingerprint(), true, Map.of());
                yield Made.row(RowEncoding.encode(tombstone, type), false);
            }
            case DocumentOperation.Update(var id, var updates) -> {
                if (document.isEmpty() && !request.create()) {
                    yield Made.nothing(new FeedReply.Missing());
                }
                Map<String, FieldValue> before = document.map(Document::fields).orElse(Map.of());
                Map<String, FieldValue> after = FieldUpdates.apply(updates, type, before);
                boolean mayGrow = document.isEmpty() || mayGrow(request.operation());
                yield Made.row(row(type, new Document(id, after)), mayGrow);
            }
        };
    }

    private static byte[] row(DocumentType type, Document document) {
        return RowEncoding.encode(
                new Row(document.id(), 0, type.fingerprint(), false, document.fields()), type);
    }

    private static long createdBytes(DocumentOperation operation, DocumentType type) {
        return operation instanceof DocumentOperation.Update(_, var updates)
                ? CreatedCells.heapBytes(updates, type)
                : 0;
    }

    /** Returns whether an operation is refused if the disk is too full for documents. */
    private static boolean mayGrow(DocumentOperation operation) {
        return switch (operation) {
            case DocumentOperation.Put _ -> true;
            case DocumentOperation.Remove _ -> false;
            case DocumentOperation.Update(_, var updates) ->
                    updates.stream().anyMatch(ReadingWrites::mayGrow);
        };
    }

    private static boolean mayGrow(FieldUpdate update) {
        return !update.path().isEmpty()
                || switch (update.change()) {
                    case FieldChange.Clear _,
                            FieldChange.Remove _,
                            FieldChange.RemoveSubspaces _,
                            FieldChange.Arithmetic _ ->
                            false;
                    case FieldChange.Assign(var value) -> !isOfFixedSize(value);
                    case FieldChange.Add _, FieldChange.ModifyCells _ -> true;
                };
    }

    private static boolean isOfFixedSize(FieldValue value) {
        return switch (value) {
            case FieldValue.BoolValue _,
                    FieldValue.IntValue _,
                    FieldValue.LongValue _,
                    FieldValue.FloatValue _,
                    FieldValue.DoubleValue _ ->
                    true;
            case FieldValue.StringValue _,
                    FieldValue.ArrayValue _,
                    FieldValue.WeightedSetValue _,
                    FieldValue.MapValue _,
                    FieldValue.StructValue _,
                    FieldValue.TensorValue _,
                    FieldValue.MixedTensorValue _ ->
                    false;
        };
    }
}
