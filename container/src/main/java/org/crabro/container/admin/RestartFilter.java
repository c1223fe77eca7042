package org.crabro.container.admin;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.crabro.config.services.ContainerCluster;
import org.crabro.config.services.ContentCluster;
import org.crabro.config.services.Services;
import org.eclipse.jetty.util.Fields;

/**
 * Selects the clusters to rebuild. An empty part matches every cluster.
 *
 * @param clusterId name of the cluster
 * @param clusterType {@code container} or {@code content}
 * @param hostname host of the cluster
 */
record RestartFilter(
        Optional<String> clusterId, Optional<String> clusterType, Optional<String> hostname) {
    static RestartFilter of(Fields parameters) {
        return new RestartFilter(
                Optional.ofNullable(parameters.getValue("clusterId")),
                Optional.ofNullable(parameters.getValue("clusterType")),
                Optional.ofNullable(parameters.getValue("hostname")));
    }

    /**
     * Returns the names of the matching clusters.
     *
     * @param running the services with their hosts; one process serves all clusters
     */
    List<String> clusters(Services services, List<RunningService> running) {
        var clusters = new ArrayList<String>();
        if (hostname.isPresent()
                && running.stream().noneMatch(each -> each.host().equals(hostname.get()))) {
            return clusters;
        }
        if (isType("container")) {
            services.containers().stream()
                    .map(ContainerCluster::id)
                    .filter(this::isCalled)
                    .forEach(clusters::add);
        }
        if (isType("content")) {
            services.contents().stream()
                    .map(ContentCluster::id)
                    .filter(this::isCalled)
                    .forEach(clusters::add);
        }
        return clusters;
    }

    private boolean isType(String type) {
        return clusterType.isEmpty() || clusterType.get().equals(type);
    }

    private boolean isCalled(String id) {
        return clusterId.isEmpty() || clusterId.get().equals(id);
    }

    /** Returns the parameters of the request. */
    @Override
    public String toString() {
        return Stream.of(
                        clusterId.map(value -> "clusterId=" + value),
                        clusterType.map(value -> "clusterType=" + value),
                        hostname.map(value -> "hostname=" + value))
                .flatMap(Optional::stream)
                .toList()
                .toString();
    }
}
