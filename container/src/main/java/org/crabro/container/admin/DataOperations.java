package org.crabro.container.admin;

import java.util.Optional;
import org.crabro.container.console.ContainerRequests;

/**
 * The operations of a server that operators can request.
 *
 * @param backup makes backups
 * @param settling flushes and merges
 * @param cluster empty for a server that is not part of one
 * @param container the container of this process, for the console; empty if there is none
 */
public record DataOperations(
        DataBackup backup,
        DataSettling settling,
        Optional<ClusterAdmin> cluster,
        Optional<ContainerRequests> container) {
    /** The operations of a server that is not part of a cluster. */
    public DataOperations(DataBackup backup, DataSettling settling) {
        this(backup, settling, Optional.empty(), Optional.empty());
    }

    /** The operations of a server that is not part of a cluster, with a container. */
    public DataOperations(DataBackup backup, DataSettling settling, ContainerRequests container) {
        this(backup, settling, Optional.empty(), Optional.of(container));
    }
}
