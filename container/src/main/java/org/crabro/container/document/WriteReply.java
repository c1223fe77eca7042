package org.crabro.container.document;

import org.crabro.protocol.feed.FeedReply;

/** What became of a write. */
public sealed interface WriteReply {
    /** A node answered, be it with what went wrong. */
    record Answered(FeedReply reply) implements WriteReply {}

    /**
     * It is written, but for parts of an update that found no place.
     *
     * @param missing the first place that is not there
     */
    record Partly(FeedReply.Stored reply, String missing) implements WriteReply {
        /** Returns what is told of it. */
        public String message() {
            return "there is no '%s': that part of the update changed nothing".formatted(missing);
        }
    }

    /** The principal may not write that document; nobody was asked. */
    record Forbidden(String reason) implements WriteReply {}

    /** No cluster keeps such a document; nobody was asked. */
    record Ignored(String reason) implements WriteReply {}
}
