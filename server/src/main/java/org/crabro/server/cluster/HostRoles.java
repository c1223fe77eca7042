package org.crabro.server.cluster;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.crabro.config.application.InvalidPackageException;
import org.crabro.config.application.RemoteFiles;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.deploy.InvalidApplicationException;
import org.crabro.config.services.ContainerCluster;
import org.crabro.config.services.Topology;
import org.crabro.config.services.Topology.ContentHost;
import org.crabro.container.Container;
import org.crabro.container.admin.ActiveFiles;
import org.crabro.content.ContentSettings;
import org.crabro.protocol.cluster.ClusterState;
import org.crabro.protocol.cluster.NodeReport;
import org.crabro.protocol.cluster.Replica;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one host of a cluster does for the active application: the content nodes and the containers
 * that the package places on it.
 */
final class HostRoles implements ClusterMember.Roles, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HostRoles.class);

    private final HostSettings host;
    private final Parts parts;
    private final RemoteClusters clusters;
    private final Map<String, HostedCluster> hosted = new ConcurrentHashMap<>();
    private volatile Optional<Container> container = Optional.empty();
    private SortedMap<String, ClusterState> states = new TreeMap<>();

    /** What the process provides for the roles. */
    interface Parts {
        /** Returns the settings of the content node for a content cluster. */
        ContentSettings content(String cluster);

        /** Starts a container that sends requests to {@code clusters}. */
        Container container(RemoteClusters clusters) throws IOException;

        /** Returns what fetches the files that packages name by URI. */
        RemoteFiles remote();

        /** Returns the host that has the clusters of packages without hosts. */
        String defaultHost();

        /** Takes the reason of a failure that only a restart repairs. */
        Consumer<String> failed();
    }

    HostRoles(HostSettings host, Parts parts, RemoteClusters clusters) {
        this.host = host;
        this.parts = parts;
        this.clusters = clusters;
    }

    @Override
    public int containerPort() {
        return container.map(each -> each.url().getPort()).orElse(0);
    }

    /** Returns where the host answers queries, if it does. */
    Optional<URI> containerUrl() {
        return container.map(Container::url);
    }

    @Override
    public SortedMap<String, NodeReport> nodes() {
        var reports = new TreeMap<String, NodeReport>();
        hosted.forEach((cluster, each) -> reports.put(cluster, each.report()));
        return reports;
    }

    @Override
    public synchronized void activate(Path packages) throws IOException {
        ActiveFiles deployed =
                ActiveFiles.active(packages)
                        .orElseThrow(() -> new IOException(packages + " has no active package"));
        ApplicationModel model;
        try {
            model = deployed.compile(parts.remote());
        } catch (InvalidPackageException | InvalidApplicationException e) {
            throw new IOException(
                    "generation %d is no valid application here: %s"
                            .formatted(deployed.generation(), e.getMessage()),
                    e);
        }
        Topology topology = model.services().topology().on(parts.defaultHost());
        for (Map.Entry<String, Topology.ContentNodes> each : topology.contents().entrySet()) {
            for (Map.Entry<Integer, ContentHost> node : each.getValue().nodes().entrySet()) {
                if (node.getValue().name().equals(host.name())) {
                    HostedCluster _ = host(each.getKey(), node.getKey());
                }
            }
        }
        for (Map.Entry<String, HostedCluster> each : hosted.entrySet()) {
            if (topology.contents().containsKey(each.getKey())) {
                each.getValue().activate(model);
            }
        }
        follow();
        List<ContainerCluster> own =
                model.services().containers().stream()
                        .filter(each ->
                                topology.containers()
                                        .getOrDefault(each.id(), List.of())
                                        .contains(host.name()))
                        .toList();
        if (!own.isEmpty()) {
            if (container.isEmpty()) {
                container = Optional.of(parts.container(clusters));
            }
            Container.Prepared prepared = container.get().prepare(model.withContainers(own), true);
            try {
                prepared.activate();
            } catch (RuntimeException e) {
                prepared.discard();
                throw e;
            }
        } else {
            container.ifPresent(Container::deactivate);
        }
        LOG.info(
                "generation {} is active on host '{}': {} containers, {} content nodes",
                model.generation(),
                host.name(),
                own.size(),
                hosted.size());
    }

    private HostedCluster host(String cluster, int key) throws IOException {
        HostedCluster known = hosted.get(cluster);
        if (known == null) {
            known = HostedCluster.open(cluster, key, host, parts.content(cluster), parts.failed());
            hosted.put(cluster, known);
        }
        return known;
    }

    @Override
    public synchronized void deactivate() {
        container.ifPresent(Container::deactivate);
    }

    @Override
    public synchronized void follow(SortedMap<String, ClusterState> next) {
        states = next;
        clusters.follow(next);
        follow();
    }

    @Override
    public synchronized void proceed() {
        follow();
    }

    /**
     * Opens the nodes that the package does not name any more, and that still have replicas: they
     * hand them over.
     */
    private void hostFormer() {
        for (Map.Entry<String, ClusterState> each : states.entrySet()) {
            if (!hosted.containsKey(each.getKey())) {
                try {
                    Optional<Integer> key = formerKey(each.getKey(), each.getValue());
                    if (key.isPresent()) {
                        HostedCluster _ = host(each.getKey(), key.get());
                    }
                } catch (IOException e) {
                    LOG.error("the former node of '{}' cannot be opened", each.getKey(), e);
                    parts.failed().accept("the node of '%s': %s".formatted(each.getKey(), e));
                }
            }
        }
    }

    /** Returns the distribution key of replicas in a data directory of this host. */
    private Optional<Integer> formerKey(String cluster, ClusterState state) throws IOException {
        Path directory = parts.content(cluster).place().directory();
        if (!Files.isDirectory(directory)) {
            return Optional.empty();
        }
        Optional<String> peer = HostedCluster.peer(directory);
        return state.shards().stream()
                .flatMap(shard -> shard.voters().stream())
                .filter(voter -> peer.filter(voter.peer()::equals).isPresent())
                .map(Replica::node)
                .findFirst();
    }

    private void follow() {
        hostFormer();
        for (Map.Entry<String, HostedCluster> each : hosted.entrySet()) {
            ClusterState state = states.get(each.getKey());
            if (state != null) {
                try {
                    each.getValue().follow(state);
                } catch (IOException e) {
                    LOG.error("the node of '{}' cannot be opened", each.getKey(), e);
                    parts.failed().accept("the node of '%s': %s".formatted(each.getKey(), e));
                }
            }
        }
    }

    @Override
    public synchronized void close() {
        container.ifPresent(Container::close);
        hosted.values().forEach(HostedCluster::close);
        clusters.close();
    }
}
