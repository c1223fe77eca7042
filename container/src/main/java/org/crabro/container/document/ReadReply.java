package org.crabro.container.document;

import org.crabro.protocol.feed.GetReply;

/** The outcome of a read. */
public sealed interface ReadReply {
    /** A node replied, possibly with an error. */
    record Answered(GetReply reply) implements ReadReply {}

    /** The principal may not read this document. No node was asked. */
    record Forbidden(String reason) implements ReadReply {}
}
