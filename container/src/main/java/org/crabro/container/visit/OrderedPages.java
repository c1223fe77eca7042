package org.crabro.container.visit;

import java.util.Optional;
import org.crabro.document.DocumentId;
import org.crabro.protocol.visit.PageLimits;
import org.crabro.protocol.visit.VisitForm;
import org.crabro.protocol.visit.VisitRequest;
import org.crabro.protocol.visit.VisitScope;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;

/** The pages of an order. */
record OrderedPages(
        VisitReads reads,
        Principal principal,
        Deadline deadline,
        VisitOrder order,
        VisitForm form,
        int bytesMax)
        implements VisitWalk.Pages {
    @Override
    public PageReply read(int partition, Optional<DocumentId> after, int documentsMax) {
        return reads.read(
                principal,
                deadline,
                order.scope().selection().places(),
                header ->
                        new VisitRequest(
                                header,
                                new VisitScope(
                                        partition,
                                        order.scope().selection().toString(),
                                        order.scope().slice(),
                                        after,
                                        order.scope().fromMicros(),
                                        order.scope().toMicros()),
                                order.format().fields(),
                                order.scope().withRemoves(),
                                form,
                                new PageLimits(documentsMax, bytesMax)));
    }
}
