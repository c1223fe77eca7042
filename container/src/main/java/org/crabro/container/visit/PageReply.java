package org.crabro.container.visit;

import org.crabro.protocol.visit.VisitReply;

/** What became of asking for a page. */
public sealed interface PageReply {
    /** A node answered, be it with what went wrong. */
    record Answered(VisitReply reply) implements PageReply {}

    /** The principal may not visit those documents; nobody was asked. */
    record Forbidden(String reason) implements PageReply {}
}
