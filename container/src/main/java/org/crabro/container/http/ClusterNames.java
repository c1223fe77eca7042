package org.crabro.container.http;

import java.util.Optional;

/**
 * Which clusters of the active application this process serves, for the dimension {@code
 * clustername}. A name is left out where there is none, or several: their metrics are not told
 * apart.
 */
public record ClusterNames(Optional<String> container, Optional<String> content) {
    /** No application is active. */
    public static final ClusterNames NONE = new ClusterNames(Optional.empty(), Optional.empty());
}
