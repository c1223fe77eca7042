package org.crabro.container.http;

import java.util.Optional;

/**
 * The clusters of the active application, for the dimension {@code clustername} of metrics. A name
 * is empty if there is no cluster, or more than one: metrics are not separated by cluster.
 */
public record ClusterNames(Optional<String> container, Optional<String> content) {
    /** No application is active. */
    public static final ClusterNames NONE = new ClusterNames(Optional.empty(), Optional.empty());
}
