package org.crabro.container.document;

import java.time.Duration;
import org.crabro.component.Progress;
import org.crabro.container.document.ServedTypes.ServedType;
import org.crabro.container.processing.ProcessorChain;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.protocol.feed.FeedReply;
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
    public WriteReply write(
            Principal principal, Deadline deadline, ConditionalOperation operation) {
        ServedType type = types.get(operation.id().documentType());
        return switch (type.process(operation, principal)) {
            case ProcessorChain.Outcome.Continues(ConditionalOperation processed) ->
                    writes.write(principal, deadline, processed, type.processor(), false, _ -> {});
            case ProcessorChain.Outcome.Dropped(String reason) -> new WriteReply.Ignored(reason);
            case ProcessorChain.Outcome.Failed(Progress.Kind kind, String reason) ->
                    refused(kind, reason);
        };
    }

    private static WriteReply refused(Progress.Kind kind, String reason) {
        return switch (kind) {
            case INVALID -> new WriteReply.Answered(new FeedReply.Rejected(reason));
            case FORBIDDEN -> new WriteReply.Forbidden(reason);
            case OVERLOADED ->
                    new WriteReply.Answered(new FeedReply.Overloaded(Duration.ofSeconds(1)));
            case BROKEN -> new WriteReply.Answered(new FeedReply.Failed(reason));
            case TIMED_OUT -> new WriteReply.Answered(new FeedReply.TimedOut());
        };
    }
}
