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
import org.crabro.document.operation.ConditionalOperation;
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
import org.crabro.protocol.feed.OperationId;
import org.crabro.protocol.feed.ReadHold;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
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
    static boolean isAsked(ConditionalOperation operation) {
        return !operation.condition().isNone()
                || operation.operation() instanceof DocumentOperation.Update;
    }

    /**
     * When and for whom a write is performed.
     *
     * @param id of a sender that may send the write again
     * @param documents returns the fields of a row that the active type has
     */
    record Context(
            Deadline deadline, Optional<OperationId> id, Function<Row, Document> documents) {}

    /**
     * Performs an operation.
     *
     * @param type the active type of the document
     * @throws TimeoutException if the deadline passes while the document is read
     */
    WriteReply write(Write.Operation write, DocumentType type, Context context)
            throws TimeoutException, InterruptedException {
        ConditionalOperation fed = write.operation();
        DocumentOperation operation = fed.operation();
        boolean makes = fed.create() && !(operation instanceof DocumentOperation.Remove);
        var asked =
                new Asked(
                        write.partition(),
                        operation.id(),
                        fed.condition(),
                        makes,
                        new Growth(mayGrow(operation), createdBytes(operation, type)));
        return write(asked, context, document -> made(fed, type, document));
    }

    /**
     * Writes a row if its condition is met.
     *
     * @throws TimeoutException if the deadline passes while the document is read
     */
    WriteReply write(Write.Row write, Context context)
            throws TimeoutException, InterruptedException {
        byte[] row = write.bytes();
        boolean isPut = !RowEncoding.isTombstone(MemorySegment.ofArray(row));
        var asked =
                new Asked(
                        write.partition(),
                        write.id(),
                        write.condition(),
                        write.create() && isPut,
                        new Growth(isPut, 0));
        return write(asked, context, _ -> Made.row(row, isPut));
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

    private WriteReply write(
            Asked asked, Context context, Function<Optional<Document>, Made> making)
            throws TimeoutException, InterruptedException {
        Deadline deadline = context.deadline();
        Optional<Selection> selection;
        try {
            selection =
                    asked.condition().selection().map(text -> Selection.parse(text, types.get()));
        } catch (InvalidSelectionException e) {
            return new WriteReply.Rejected("the condition is wrong: " + e.getMessage());
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
                                context,
                                making);
                    }
                },
                context.id(),
                deadline);
    }

    private Made made(
            Asked asked,
            Optional<Selection> selection,
            Optional<Row> stored,
            Context context,
            Function<Optional<Document>, Made> making) {
        WriteCondition condition = asked.condition();
        long seen = stored.map(Row::timestamp).orElse(WriteCondition.ABSENT);
        if (condition.timestamp().isPresent() && condition.timestamp().getAsLong() != seen) {
            return Made.nothing(new WriteReply.ConditionNotMet(stored.isPresent()));
        }
        Optional<Document> document = stored.map(context.documents());
        try {
            if (selection.isPresent()
                    && !holds(selection.get(), document, asked.makes(), context.deadline())) {
                return Made.nothing(new WriteReply.ConditionNotMet(stored.isPresent()));
            }
        } catch (ScanStoppedException e) {
            return Made.nothing(new WriteReply.TimedOut());
        } catch (StackOverflowError e) {
            return Made.nothing(
                    new WriteReply.Rejected("the condition is nested too deeply to be evaluated"));
        }
        try {
            return making.apply(document);
        } catch (IllegalArgumentException e) {
            return Made.nothing(new WriteReply.Rejected(String.valueOf(e.getMessage())));
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

    private static Made made(
            ConditionalOperation fed, DocumentType type, Optional<Document> document) {
        return switch (fed.operation()) {
            case DocumentOperation.Put(var put) -> Made.row(row(type, put), true);
            case DocumentOperation.Remove(var id) -> {
                var tombstone = new Row(id, 0, type.fingerprint(), true, Map.of());
                yield Made.row(RowEncoding.encode(tombstone, type), false);
            }
            case DocumentOperation.Update(var id, var updates) -> {
                if (document.isEmpty() && !fed.create()) {
                    yield Made.nothing(new WriteReply.Missing());
                }
                Map<String, FieldValue> before = document.map(Document::fields).orElse(Map.of());
                Map<String, FieldValue> after = FieldUpdates.apply(updates, type, before);
                boolean mayGrow = document.isEmpty() || mayGrow(fed.operation());
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
                    case FieldChange.Assign(var value) -> !(value instanceof FieldValue.Scalar);
                    case FieldChange.Add _, FieldChange.ModifyCells _ -> true;
                };
    }
}
