package org.crabro.container.visit;

import org.crabro.protocol.visit.VisitReply;

/** The outcome of a request for a page. */
public sealed interface PageReply {
    /** A node replied, possibly with an error. */
    record Answered(VisitReply reply) implements PageReply {}

    /** The principal may not visit these documents. No request was sent to a node. */
    record Forbidden(String reason) implements PageReply {}
}
