package org.crabro.container.visit;

import org.crabro.document.select.SelectedPlaces;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.visit.VisitRequest;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.RequestHeader;

/** Reads pages of documents; blocks until one is there or the deadline passes. */
public interface VisitReads {
    /** Makes the request that one node gets. */
    interface RequestMaker {
        VisitRequest request(RequestHeader header);
    }

    /** Returns how documents are spread over partitions now. */
    Partitions partitions();

    /**
     * Reads the next page of a partition.
     *
     * @param places where the documents that are meant may lie
     */
    PageReply read(
            Principal principal, Deadline deadline, SelectedPlaces places, RequestMaker request);
}
