package org.crabro.container.dispatch;

import java.util.Optional;
import java.util.function.Supplier;
import org.crabro.container.document.WriteResult;
import org.crabro.container.visit.GroupRemovals;
import org.crabro.document.DocumentId;
import org.crabro.document.LocationKey;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.RequestHeader;

/**
 * Sends removals of groups to the node that owns their partition, if their principal may access the
 * group.
 */
public final class GroupDispatch implements GroupRemovals {
    private final DocumentNodes nodes;
    private final Supplier<ClusterView> cluster;

    /**
     * @param cluster called once for each request
     */
    public GroupDispatch(DocumentNodes nodes, Supplier<ClusterView> cluster) {
        this.nodes = nodes;
        this.cluster = cluster;
    }

    @Override
    public WriteResult remove(
            Principal principal, Deadline deadline, String documentType, LocationKey group) {
        Optional<String> refusal = principal.refusal(group);
        if (refusal.isPresent()) {
            return new WriteResult.Forbidden(refusal.get());
        }
        if (deadline.hasPassed()) {
            return new WriteResult.Answered(new WriteReply.TimedOut());
        }
        ClusterView view = cluster.get();
        var header = new RequestHeader(principal, view.stateVersion(), deadline);
        // The group alone determines the location.
        long location = new DocumentId("any", documentType, group, "any").location();
        return new WriteResult.Answered(
                nodes.write(
                        header,
                        new Write.RemoveGroup(view.partitions().of(location), documentType, group),
                        Optional.empty()));
    }
}
