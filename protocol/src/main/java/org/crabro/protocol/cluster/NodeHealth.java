package org.crabro.protocol.cluster;

import java.util.List;
import java.util.Optional;

/**
 * Whether a content node works.
 *
 * @param failure why the node accepts no writes; empty while it accepts some
 * @param problems other problems that an operator must look at, one sentence each
 */
public record NodeHealth(Optional<String> failure, List<String> problems) {
    /** The node works without problems. */
    public static final NodeHealth UP = new NodeHealth(Optional.empty(), List.of());

    public NodeHealth {
        problems = List.copyOf(problems);
    }
}
