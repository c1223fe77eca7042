package org.crabro.container.processing;

import java.util.List;
import java.util.Map;
import org.crabro.component.Caller;
import org.crabro.component.DocumentProcessor;
import org.crabro.component.Progress;
import org.crabro.container.access.Callers;
import org.crabro.document.Document;
import org.crabro.document.DocumentType;
import org.crabro.document.memory.MemoryRefusedException;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.document.operation.FieldUpdate;
import org.crabro.document.operation.FieldUpdates;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.protocol.wire.Principal;
import org.crabro.ranking.onnx.threads.ModelBusyException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Document processors of the application, which process operations before indexing scripts run.
 * Thread-safe; blocks while a processor blocks.
 *
 * @param id of the chain
 */
public record ProcessorChain(String id, List<Step> steps) {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessorChain.class);

    /** An empty chain. */
    public static final ProcessorChain NONE = new ProcessorChain("indexing", List.of());

    public ProcessorChain {
        steps = List.copyOf(steps);
    }

    /**
     * A processor.
     *
     * @param id as written in services.xml
     */
    public record Step(String id, DocumentProcessor processor) {}

    /** The result of processing an operation. */
    public sealed interface Outcome {
        /** The operation is executed. */
        record Continues(ConditionalOperation operation) implements Outcome {}

        /** The operation is dropped without an error. */
        record Dropped(String reason) implements Outcome {}

        /** The operation is rejected. */
        record Failed(Progress.Kind kind, String reason) implements Outcome {}
    }

    /** Returns whether the chain changes no operation. */
    public boolean isEmpty() {
        return steps.isEmpty();
    }

    /**
     * Processes an operation.
     *
     * @param fed as it came
     * @param type of its document
     * @param sender of the operation
     */
    public Outcome process(ConditionalOperation fed, DocumentType type, Principal sender) {
        if (isEmpty()) {
            return new Outcome.Continues(fed);
        }
        Caller caller = Callers.of(sender);
        DocumentOperation operation = fed.operation();
        for (Step step : steps) {
            Progress progress;
            try {
                progress = step.processor().process(operation, caller);
            } catch (ModelBusyException e) {
                // The processor evaluates a model; the operation may succeed later.
                return new Outcome.Failed(Progress.Kind.OVERLOADED, String.valueOf(e.getMessage()));
            } catch (MemoryRefusedException e) {
                throw e;
            } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
                LOG.error("{}", failure(step, "threw " + e), e);
                return new Outcome.Failed(Progress.Kind.BROKEN, failure(step, "threw " + e));
            }
            switch (progress) {
                case null -> {
                    return new Outcome.Failed(
                            Progress.Kind.BROKEN, failure(step, "returned nothing"));
                }
                case Progress.Dropped(String reason) -> {
                    return new Outcome.Dropped(reason);
                }
                case Progress.Failed(Progress.Kind kind, String reason) -> {
                    return new Outcome.Failed(kind, reason);
                }
                case Progress.Done(DocumentOperation next) -> {
                    if (!next.equals(operation)) {
                        try {
                            check(next, operation, type);
                        } catch (IllegalArgumentException e) {
                            return new Outcome.Failed(
                                    Progress.Kind.BROKEN,
                                    failure(
                                            step,
                                            "returned what cannot be stored: " + e.getMessage()));
                        }
                    }
                    operation = next;
                }
            }
        }
        return new Outcome.Continues(
                operation.equals(fed.operation())
                        ? fed
                        : new ConditionalOperation(operation, fed.condition(), fed.create()));
    }

    private String failure(Step step, String what) {
        return "document processor '%s' of chain '%s' failed: class %s %s"
                .formatted(step.id(), id, step.processor().getClass().getName(), what);
    }

    private static void check(DocumentOperation next, DocumentOperation before, DocumentType type) {
        if (!next.id().equals(before.id())) {
            throw new IllegalArgumentException(
                    "an operation on " + next.id() + " in place of one on " + before.id());
        }
        switch (next) {
            case DocumentOperation.Put(Document document) -> check(document, type);
            case DocumentOperation.Update(var id, var updates) -> {
                for (FieldUpdate update : updates) {
                    if (type.field(update.field()).isEmpty()) {
                        throw new IllegalArgumentException(
                                "document type %s has no field '%s'"
                                        .formatted(type.name(), update.field()));
                    }
                }
                check(new Document(id, FieldUpdates.apply(updates, type, Map.of())), type);
            }
            case DocumentOperation.Remove _ -> {}
        }
    }

    /** Rejects a document that cannot be encoded, because it could not be stored. */
    private static void check(Document document, DocumentType type) {
        RowEncoding.encode(
                new Row(document.id(), 0, type.fingerprint(), false, document.fields()), type);
    }
}
