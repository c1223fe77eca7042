package org.crabro.content.node;

import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.wire.RequestHeader;

/**
 * The data of a node.
 *
 * @param directory of the data; one node at a time uses it
 * @param partitions the assignment of documents to partitions; the same at every start on the same
 *     directory
 * @param owned the partitions that this node serves
 * @param stateVersion the cluster state that assigns them
 */
public record NodePlace(
        Path directory, Partitions partitions, Set<Integer> owned, long stateVersion) {
    public NodePlace {
        owned = Set.copyOf(owned);
    }

    /** Returns the place of a single node. */
    static NodePlace in(Path directory) {
        Set<Integer> every =
                IntStream.range(0, Partitions.DEFAULT.count()).boxed().collect(Collectors.toSet());
        return new NodePlace(directory, Partitions.DEFAULT, every, 1);
    }

    /**
     * Returns whether this node serves a partition. A sender with a newer cluster state may be
     * right: it gets the state of this node.
     */
    boolean owns(RequestHeader header, int partition) {
        return owned.contains(partition) && header.stateVersion() <= stateVersion;
    }
}
