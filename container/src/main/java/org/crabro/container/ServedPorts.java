package org.crabro.container;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.crabro.config.application.Notice;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.services.ContainerCluster;
import org.crabro.config.services.ContainerCluster.HttpServer;
import org.crabro.container.http.TlsSettings;

/**
 * The ports of applications: which clusters answer at a port, and whether it speaks TLS.
 *
 * @param settings with the port and the TLS settings of the process
 * @param ownPort the port of servers that name none; of all servers, if the process was given a
 *     port
 */
record ServedPorts(ContainerSettings settings, int ownPort) {
    /** Returns the port at which {@code server} listens. */
    int of(HttpServer server) {
        return settings.start().portGiven() ? ownPort : server.port().orElse(ownPort);
    }

    /** Returns the clusters at each port: at least one port, possibly without clusters. */
    Map<Integer, List<ContainerCluster>> clusters(ApplicationModel model) {
        List<ContainerCluster> all = model.services().containers();
        if (settings.start().portGiven()) {
            return Map.of(ownPort, all);
        }
        // Clusters on different hosts may name the same port.
        var byPort = new LinkedHashMap<Integer, List<ContainerCluster>>();
        for (ContainerCluster cluster : all) {
            for (HttpServer server : cluster.http().servers()) {
                byPort.computeIfAbsent(of(server), _ -> new ArrayList<>()).add(cluster);
            }
        }
        // An application without a container still has the paths for operators.
        return byPort.isEmpty() ? Map.of(ownPort, List.of()) : byPort;
    }

    /** Returns the first port of these clusters; without any, the first port of all. */
    int first(ApplicationModel model, Predicate<ContainerCluster> selected) {
        Map<Integer, List<ContainerCluster>> all = clusters(model);
        return all.entrySet().stream()
                .filter(each -> each.getValue().stream().anyMatch(selected))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseGet(() -> all.keySet().iterator().next());
    }

    /**
     * Returns the TLS settings of each port, with the client certificates that it trusts.
     *
     * @throws IllegalArgumentException if servers that share a port have different TLS settings
     */
    Map<Integer, Optional<TlsSettings>> tls(ApplicationModel model) {
        Map<Integer, List<ContainerCluster>> clusters = clusters(model);
        var byPort = new LinkedHashMap<Integer, Optional<TlsSettings>>();
        new ServedTls(settings.http().tls(), ownPort, settings.start().portGiven())
                .of(model.services().containers(), clusters.keySet())
                .forEach((port, tls) -> {
                    var clients =
                            new ServedClients(clusters.getOrDefault(port, List.of()))
                                    .certificates();
                    byPort.put(port, tls.map(each -> each.withListed(clients)));
                });
        return byPort;
    }

    /** Returns the parts of an application that have no effect in this process. */
    List<Notice> notices(ApplicationModel model) {
        Map<Integer, Optional<TlsSettings>> tls;
        try {
            tls = tls(model);
        } catch (IllegalArgumentException _) {
            // The deployment of this application is rejected, with the reason.
            return List.of();
        }
        var notices = new LinkedHashSet<Notice>();
        clusters(model)
                .forEach((port, clusters) -> {
                    boolean isSecure = tls.getOrDefault(port, Optional.empty()).isPresent();
                    for (ContainerCluster cluster : clusters) {
                        notices.addAll(
                                ServedClients.notices(
                                        cluster, isSecure, settings.start().access()));
                    }
                });
        return List.copyOf(notices);
    }
}
