package org.crabro.container.admin;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.crabro.container.console.ContainerForwarding;
import org.crabro.container.console.ContainerRequests;

/**
 * The operations of a server that operators can request.
 *
 * @param backup makes backups
 * @param settling flushes and merges
 * @param cluster empty for a server that is not part of one
 * @param container the container of this process, for the console; empty if there is none
 * @param places where containers of a cluster are, for the console; empty if they are nowhere
 */
public record DataOperations(
        DataBackup backup,
        DataSettling settling,
        Optional<ClusterAdmin> cluster,
        Optional<ContainerRequests> container,
        Optional<ContainerPlaces> places) {
    /** The operations of a server that is not part of a cluster. */
    public DataOperations(DataBackup backup, DataSettling settling) {
        this(backup, settling, Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** The operations of a server that is not part of a cluster, with a container. */
    public DataOperations(DataBackup backup, DataSettling settling, ContainerRequests container) {
        this(backup, settling, Optional.empty(), Optional.of(container), Optional.empty());
    }

    /** The operations of a server of a cluster. */
    public static DataOperations ofCluster(
            DataBackup backup,
            DataSettling settling,
            Optional<ClusterAdmin> cluster,
            ContainerPlaces places) {
        return new DataOperations(backup, settling, cluster, Optional.empty(), Optional.of(places));
    }

    /** Returns what forwards to the containers of a cluster; empty if there are none. */
    Optional<ContainerForwarding> forwarding(Supplier<List<RunningService>> services) {
        return places.map(each -> new ContainerForwarding(() -> each.of(services.get())));
    }
}
