package org.crabro.container.dispatch;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.crabro.container.visit.PageReply;
import org.crabro.container.visit.VisitReads;
import org.crabro.document.select.SelectedPlaces;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.visit.VisitRequest;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.RequestHeader;

/**
 * Sends requests for pages to the node that owns their partition, if their principal may access all
 * documents that they select. There is one node, which owns every partition.
 */
public final class VisitDispatch implements VisitReads {
    private final Function<VisitRequest, VisitReply> nodes;
    private final Supplier<ClusterView> cluster;

    /**
     * @param nodes sends requests to nodes, see {@link DocumentNodes#visit}
     * @param cluster called once for each request
     */
    public VisitDispatch(Function<VisitRequest, VisitReply> nodes, Supplier<ClusterView> cluster) {
        this.nodes = nodes;
        this.cluster = cluster;
    }

    @Override
    public Partitions partitions() {
        return cluster.get().partitions();
    }

    @Override
    public PageReply read(
            Principal principal, Deadline deadline, SelectedPlaces places, RequestMaker request) {
        Optional<String> refusal = GroupAccess.refusal(principal, places);
        if (refusal.isPresent()) {
            return new PageReply.Forbidden(refusal.get());
        }
        if (deadline.hasPassed()) {
            return new PageReply.Answered(new VisitReply.TimedOut());
        }
        var header = new RequestHeader(principal, cluster.get().stateVersion(), deadline);
        return new PageReply.Answered(nodes.apply(request.request(header)));
    }
}
