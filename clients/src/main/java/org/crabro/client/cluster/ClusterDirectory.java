package org.crabro.client.cluster;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option of the directory of a cluster on this machine. */
final class ClusterDirectory {
    @Option(
            names = "--directory",
            defaultValue = "crabro-cluster",
            description = "Directory of the cluster (${DEFAULT-VALUE}).")
    private Path directory = Path.of("crabro-cluster");

    LocalCluster cluster() {
        return new LocalCluster(directory.toAbsolutePath());
    }
}
