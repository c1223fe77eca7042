package org.crabro.protocol.transport;

/**
 * The name of a content node. Its clients name the node that they expect at an address, so that a
 * node that has moved gets no requests for another one.
 *
 * @param cluster the cluster of machines, not empty
 * @param node the node in the cluster, not empty
 */
public record NodeIdentity(String cluster, String node) {
    @Override
    public String toString() {
        return "'%s' of cluster '%s'".formatted(node, cluster);
    }
}
