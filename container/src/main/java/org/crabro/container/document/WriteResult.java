package org.crabro.container.document;

import java.util.Optional;
import org.crabro.protocol.feed.WriteReply;

/** The outcome of a write. */
public sealed interface WriteResult {
    /** Returns the reply of the node that stored the write; empty if it is not stored. */
    default Optional<WriteReply.Stored> stored() {
        return switch (this) {
            case Answered(WriteReply.Stored stored) -> Optional.of(stored);
            case Partly partly -> Optional.of(partly.reply());
            case Answered _, Forbidden _, Ignored _ -> Optional.empty();
        };
    }

    /** A node replied, possibly with an error. */
    record Answered(WriteReply reply) implements WriteResult {}

    /**
     * The update is written, except for parts whose element is missing.
     *
     * @param missing the first missing element
     */
    record Partly(WriteReply.Stored reply, String missing) implements WriteResult {
        /** Returns the message for the client. */
        public String message() {
            return "there is no '%s': that part of the update changed nothing".formatted(missing);
        }
    }

    /** The principal may not write this document. No request was sent to a node. */
    record Forbidden(String reason) implements WriteResult {}

    /** No cluster stores such a document. No request was sent to a node. */
    record Ignored(String reason) implements WriteResult {}
}
