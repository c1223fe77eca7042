package org.crabro.protocol.transport;

import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The hosts of a cluster, as a server knows them now.
 *
 * @param members returns all hosts; empty if the config server is of an older release, which does
 *     not tell them. Then every certificate of the authority counts as that of a member
 * @param configServers their names, and the addresses at which they are reached
 */
public record ClusterHosts(Supplier<Optional<Set<String>>> members, Set<String> configServers) {
    /** Accepts each certificate of the authority: for servers that are no cluster. */
    public static final ClusterHosts ANY = new ClusterHosts(Optional::empty, Set.of());

    public ClusterHosts {
        configServers = Set.copyOf(configServers);
    }
}
