package org.crabro.protocol.cluster;

/**
 * Where a content node listens, each as {@code host:port}, or empty where it does not listen yet.
 *
 * @param requests for containers
 * @param replication for the other nodes of the cluster
 */
public record NodeAddresses(String requests, String replication) {
    /** A node that does not listen. */
    public static final NodeAddresses NONE = new NodeAddresses("", "");
}
