package org.crabro.container.visit;

import org.crabro.document.select.SelectedPlaces;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.visit.VisitRequest;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.RequestHeader;

/** Reads pages of documents; blocks until the page is complete or the deadline passes. */
public interface VisitReads {
    /** Creates the request to a node. */
    interface RequestMaker {
        VisitRequest request(RequestHeader header);
    }

    /** Returns the current distribution of documents over partitions. */
    Partitions partitions();

    /**
     * Returns the number of parts of the documents, each with all partitions. Partition {@code p}
     * of part {@code i} has the number {@code i * partitions().count() + p} in requests.
     */
    default int parts() {
        return 1;
    }

    /**
     * Reads the next page of a partition.
     *
     * @param places contain all selected documents
     */
    PageReply read(
            Principal principal, Deadline deadline, SelectedPlaces places, RequestMaker request);
}
