package org.crabro.protocol.cluster;

import java.util.List;
import java.util.Optional;

/**
 * Whether a content node works.
 *
 * @param failure why the node takes no write; empty while it takes some
 * @param problems what else an operator has to look at while the node works, one sentence each
 */
public record NodeHealth(Optional<String> failure, List<String> problems) {
    /** Everything works. */
    public static final NodeHealth UP = new NodeHealth(Optional.empty(), List.of());

    public NodeHealth {
        problems = List.copyOf(problems);
    }
}
