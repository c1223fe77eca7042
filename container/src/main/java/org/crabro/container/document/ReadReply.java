package org.crabro.container.document;

import org.crabro.protocol.feed.GetReply;

/** The outcome of a read. */
public sealed interface ReadReply {
    /** A node replied, possibly with an error. */
    record Answered(GetReply reply) implements ReadReply {}

    /** The principal may not read this document. No request was sent to a node. */
    record Forbidden(String reason) implements ReadReply {}
}
