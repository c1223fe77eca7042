package org.crabro.container.dispatch;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.crabro.container.document.WriteReply;
import org.crabro.container.visit.GroupRemovals;
import org.crabro.document.DocumentId;
import org.crabro.document.LocationKey;
import org.crabro.protocol.feed.FeedReply;
import org.crabro.protocol.feed.RemoveGroupRequest;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.RequestHeader;

/**
 * Sends removals of groups to the node that owns their partition, if their principal may access the
 * group.
 */
public final class GroupDispatch implements GroupRemovals {
    private final Function<RemoveGroupRequest, FeedReply> nodes;
    private final Supplier<ClusterView> cluster;

    /**
     * @param nodes sends requests to nodes, see {@link DocumentNodes#removeGroup}
     * @param cluster called once for each request
     */
    public GroupDispatch(
            Function<RemoveGroupRequest, FeedReply> nodes, Supplier<ClusterView> cluster) {
        this.nodes = nodes;
        this.cluster = cluster;
    }

    @Override
    public WriteReply remove(
            Principal principal, Deadline deadline, String documentType, LocationKey group) {
        Optional<String> refusal = principal.refusal(group);
        if (refusal.isPresent()) {
            return new WriteReply.Forbidden(refusal.get());
        }
        if (deadline.hasPassed()) {
            return new WriteReply.Answered(new FeedReply.TimedOut());
        }
        ClusterView view = cluster.get();
        var header = new RequestHeader(principal, view.stateVersion(), deadline);
        // The group alone determines the location.
        long location = new DocumentId("any", documentType, group, "any").location();
        return new WriteReply.Answered(
                nodes.apply(
                        new RemoveGroupRequest(
                                header, view.partitions().of(location), documentType, group)));
    }
}
