package org.crabro.container.document;

import org.crabro.protocol.feed.FeedReply;

/** What became of a write. */
public sealed interface WriteReply {
    /** A node answered, be it with what went wrong. */
    record Answered(FeedReply reply) implements WriteReply {}

    /** The principal may not write that document; nobody was asked. */
    record Forbidden(String reason) implements WriteReply {}

    /** No cluster keeps such a document; nobody was asked. */
    record Ignored(String reason) implements WriteReply {}
}
