package org.crabro.container.dispatch;

import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.visit.VisitRequest;

/** Carries requests for pages of documents to content nodes: in process, or over the wire. */
public interface VisitNodes {
    VisitReply visit(VisitRequest request);
}
