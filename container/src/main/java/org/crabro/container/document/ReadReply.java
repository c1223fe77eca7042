package org.crabro.container.document;

import org.crabro.protocol.feed.GetReply;

/** What became of a read. */
public sealed interface ReadReply {
    /** A node answered, be it with what went wrong. */
    record Answered(GetReply reply) implements ReadReply {}

    /** The principal may not read that document; nobody was asked. */
    record Forbidden(String reason) implements ReadReply {}
}
