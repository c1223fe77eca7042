package org.crabro.container.document;

import java.time.Duration;
import java.util.Optional;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.WriteReply;

/** The outcome of a read. */
public sealed interface ReadReply {
    /** A node replied, possibly with an error. */
    record Answered(GetReply reply) implements ReadReply {}

    /** The principal may not read this document. No request was sent to a node. */
    record Forbidden(String reason) implements ReadReply {}

    /**
     * Returns the outcome of a write that needs the document, if the document could not be read;
     * empty if it was read or is missing.
     */
    default Optional<WriteResult> failure() {
        return switch (this) {
            case Forbidden(String reason) -> Optional.of(new WriteResult.Forbidden(reason));
            case Answered(GetReply reply) -> failure(reply).map(WriteResult.Answered::new);
        };
    }

    private static Optional<WriteReply> failure(GetReply reply) {
        return switch (reply) {
            case GetReply.Found _, GetReply.Missing _ -> Optional.empty();
            case GetReply.WrongOwner(long stateVersion) ->
                    Optional.of(new WriteReply.WrongOwner(stateVersion));
            case GetReply.Overloaded(Duration retryAfter) ->
                    Optional.of(new WriteReply.Overloaded(retryAfter));
            case GetReply.TimedOut() -> Optional.of(new WriteReply.TimedOut());
            case GetReply.Failed(String reason) -> Optional.of(new WriteReply.Failed(reason));
            case GetReply.Unavailable(String reason) ->
                    Optional.of(new WriteReply.Unavailable(reason));
        };
    }
}
