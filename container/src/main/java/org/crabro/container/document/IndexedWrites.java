package org.crabro.container.document;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.crabro.container.processing.IndexingProcessor;
import org.crabro.document.Document;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.document.operation.DocumentOperation.Update;
import org.crabro.document.operation.WriteCondition;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.ReadHold;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.crabro.ranking.onnx.EmbeddingRefusedException;
import org.crabro.ranking.onnx.RunDeadline;
import org.crabro.ranking.onnx.threads.ModelBusyException;

/**
 * Runs indexing scripts on operations, and carries them out.
 *
 * <p>An update of a field that is the input of a script also updates the output of the script. If
 * the script reads other fields, too, or if the update names elements that may be missing, the
 * stored document is read, updated, processed, and put on the condition that its version has not
 * changed. If it has changed, this repeats until the deadline.
 */
public final class IndexedWrites {
    /** After this time a client may retry if too many texts or runs wait for a model. */
    private static final Duration BUSY = Duration.ofSeconds(1);

    private final DocumentWrites writes;
    private final DocumentCopies copies;

    /** Reads and writes documents that have one copy. */
    public IndexedWrites(DocumentReads reads, DocumentWrites writes) {
        this(writes, DocumentCopies.one(reads, writes));
    }

    /**
     * @param copies for updates that read the stored document
     */
    public IndexedWrites(DocumentWrites writes, DocumentCopies copies) {
        this.writes = writes;
        this.copies = copies;
    }

    /**
     * Carries out an operation; blocks until it is durable or the deadline passes.
     *
     * @param fed as the client sent it; no script has run
     * @param isStrict whether an update is rejected that names a missing element
     * @param notes receives the steps for a trace
     * @throws org.crabro.document.InvalidDocumentException if a script rejects a value
     */
    public WriteResult write(
            Principal principal,
            Deadline deadline,
            ConditionalOperation fed,
            IndexingProcessor processor,
            boolean isStrict,
            Consumer<Supplier<String>> notes) {
        try {
            return RunDeadline.within(
                    deadline.nanos(),
                    () ->
                            indexed(
                                    principal,
                                    deadline,
                                    fed,
                                    processor.until(deadline),
                                    isStrict,
                                    notes));
        } catch (ModelBusyException _) {
            return new WriteResult.Answered(new WriteReply.Overloaded(BUSY));
        } catch (EmbeddingRefusedException e) {
            return new WriteResult.Answered(
                    switch (e.reason()) {
                        case OVERLOADED -> new WriteReply.Overloaded(BUSY);
                        case TIMED_OUT -> new WriteReply.TimedOut();
                        case UPSTREAM_FAILED ->
                                new WriteReply.Failed(String.valueOf(e.getMessage()));
                    });
        }
    }

    private WriteResult indexed(
            Principal principal,
            Deadline deadline,
            ConditionalOperation fed,
            IndexingProcessor processor,
            boolean isStrict,
            Consumer<Supplier<String>> notes) {
        return switch (fed.operation()) {
            case DocumentOperation.Put(Document document) -> {
                Document processed = processor.process(document);
                notes.accept(() ->
                        "ran the indexing scripts: %d fields".formatted(processed.fields().size()));
                yield writes.write(
                        principal, deadline, with(fed, new DocumentOperation.Put(processed)));
            }
            case DocumentOperation.Remove _ -> writes.write(principal, deadline, fed);
            case Update update -> {
                Optional<Update> processed =
                        MissingPlaces.mayBe(update) ? Optional.empty() : processor.process(update);
                yield processed.isPresent()
                        ? writes.write(principal, deadline, with(fed, processed.get()))
                        : copies.inEach(
                                fed.id(),
                                deadline,
                                (source, target) ->
                                        readAndPut(
                                                new Reread(
                                                        principal, deadline, fed, update, processor,
                                                        isStrict),
                                                source,
                                                target,
                                                notes));
            }
        };
    }

    private static ConditionalOperation with(
            ConditionalOperation fed, DocumentOperation operation) {
        return new ConditionalOperation(operation, fed.condition(), fed.create());
    }

    /**
     * An update that needs the stored document.
     *
     * @param fed contains {@code update}
     * @param isStrict whether an update is rejected that names a missing element
     */
    private record Reread(
            Principal principal,
            Deadline deadline,
            ConditionalOperation fed,
            Update update,
            IndexingProcessor processor,
            boolean isStrict) {
        Optional<String> missing(GetReply stored) {
            if (stored instanceof GetReply.Found(Document document, _)) {
                return MissingPlaces.first(update, processor.documentType(), document.fields());
            }
            return fed.create()
                    ? MissingPlaces.first(update, processor.documentType(), Map.of())
                    : Optional.empty();
        }

        DocumentOperation next(GetReply stored) {
            if (stored instanceof GetReply.Found(Document document, _)) {
                return new DocumentOperation.Put(processor.process(update, document));
            }
            // Without create, the node decides the outcome of an update of a missing document.
            return fed.create()
                    ? new DocumentOperation.Put(
                            processor.process(update, new Document(fed.id(), Map.of())))
                    : update;
        }
    }

    private static WriteResult readAndPut(
            Reread reread,
            DocumentReads source,
            DocumentWrites target,
            Consumer<Supplier<String>> notes) {
        ConditionalOperation fed = reread.fed;
        OptionalLong refused = OptionalLong.empty();
        while (true) {
            Attempt.Ready ready;
            switch (attempt(reread, source, refused)) {
                case Attempt.Ended(WriteResult reply) -> {
                    return reply;
                }
                case Attempt.Ready made -> ready = made;
            }
            long seen = ready.seen();
            Optional<String> missing = ready.missing();
            WriteResult reply =
                    target.write(
                            reread.principal,
                            reread.deadline,
                            new ConditionalOperation(
                                    ready.operation(),
                                    fed.condition().andTimestamp(seen),
                                    fed.create()));
            if (missing.isPresent()
                    && reply instanceof WriteResult.Answered(WriteReply.Stored stored)) {
                return new WriteResult.Partly(stored, missing.get());
            }
            if (!(reply instanceof WriteResult.Answered(WriteReply.ConditionNotMet _))) {
                return reply;
            }
            notes.accept(
                    () -> "not written: another version than that of " + seen + ", or not met");
            refused = OptionalLong.of(seen);
        }
    }

    /** The outcome of reading a document and computing its next version. */
    private sealed interface Attempt {
        /**
         * The next version was computed.
         *
         * @param seen the version that was read
         * @param missing an element that the update names and the document lacks
         */
        record Ready(long seen, Optional<String> missing, DocumentOperation operation)
                implements Attempt {}

        /** Nothing is written. */
        record Ended(WriteResult reply) implements Attempt {
            Ended(WriteReply reply) {
                this(new WriteResult.Answered(reply));
            }
        }
    }

    /** Releases the read document before the write, because the node reads it again. */
    private static Attempt attempt(Reread reread, DocumentReads source, OptionalLong refused) {
        ConditionalOperation fed = reread.fed;
        try (var hold = new ReadHold()) {
            ReadReply read = source.read(reread.principal, reread.deadline, fed.id(), hold);
            Optional<WriteResult> failure = read.failure();
            if (failure.isPresent()) {
                return new Attempt.Ended(failure.get());
            }
            GetReply stored =
                    read instanceof ReadReply.Answered(GetReply reply)
                            ? reply
                            : new GetReply.Missing();
            long seen =
                    stored instanceof GetReply.Found(_, long timestamp)
                            ? timestamp
                            : WriteCondition.ABSENT;
            if ((refused.isPresent() && refused.getAsLong() == seen)
                    || fed.condition().timestamp().orElse(seen) != seen) {
                // The version has not changed, so the selection is not met.
                boolean exists = seen != WriteCondition.ABSENT;
                return new Attempt.Ended(new WriteReply.ConditionNotMet(exists));
            }
            Optional<String> missing = reread.missing(stored);
            if (missing.isPresent() && reread.isStrict) {
                return new Attempt.Ended(
                        new WriteReply.Rejected(
                                "there is no '%s': nothing is updated".formatted(missing.get())));
            }
            return new Attempt.Ready(seen, missing, reread.next(stored));
        }
    }
}
