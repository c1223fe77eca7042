package org.crabro.container.admin;

import java.util.Optional;

/**
 * The operations of a server that operators can request.
 *
 * @param backup makes backups
 * @param settling flushes and merges
 * @param cluster empty for a server that is not part of one
 */
public record DataOperations(
        DataBackup backup, DataSettling settling, Optional<ClusterAdmin> cluster) {
    /** The operations of a server that is not part of a cluster. */
    public DataOperations(DataBackup backup, DataSettling settling) {
        this(backup, settling, Optional.empty());
    }
}
