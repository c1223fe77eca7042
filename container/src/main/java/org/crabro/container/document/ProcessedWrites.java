package org.crabro.container.document;

import java.time.Duration;
import org.crabro.component.Progress;
import org.crabro.container.document.ServedTypes.ServedType;
import org.crabro.container.processing.ProcessorChain;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;

/**
 * Runs the document processors of the application and the indexing scripts on operations, and
 * carries them out.
 */
public final class ProcessedWrites implements DocumentWrites {
    private final ServedTypes types;
    private final IndexedWrites writes;

    public ProcessedWrites(ServedTypes types, DocumentReads reads, DocumentWrites writes) {
        this.types = types;
        this.writes = new IndexedWrites(reads, writes);
    }

    /**
     * {@inheritDoc}
     *
     * @param operation as the client sent it; no script has run
     */
    @Override
    public WriteResult write(
            Principal principal, Deadline deadline, ConditionalOperation operation) {
        ServedType type = types.get(operation.id().documentType());
        return switch (type.process(operation, principal)) {
            case ProcessorChain.Outcome.Continues(ConditionalOperation processed) ->
                    writes.write(principal, deadline, processed, type.processor(), false, _ -> {});
            case ProcessorChain.Outcome.Dropped(String reason) -> new WriteResult.Ignored(reason);
            case ProcessorChain.Outcome.Failed(Progress.Kind kind, String reason) ->
                    refused(kind, reason);
        };
    }

    private static WriteResult refused(Progress.Kind kind, String reason) {
        return switch (kind) {
            case INVALID -> new WriteResult.Answered(new WriteReply.Rejected(reason));
            case FORBIDDEN -> new WriteResult.Forbidden(reason);
            case OVERLOADED ->
                    new WriteResult.Answered(new WriteReply.Overloaded(Duration.ofSeconds(1)));
            case BROKEN -> new WriteResult.Answered(new WriteReply.Failed(reason));
            case TIMED_OUT -> new WriteResult.Answered(new WriteReply.TimedOut());
        };
    }
}
