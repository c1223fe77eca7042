package org.crabro.server.cluster;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.crabro.config.application.InvalidPackageException;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.deploy.InvalidApplicationException;
import org.crabro.config.services.ContainerCluster;
import org.crabro.config.services.Topology;
import org.crabro.config.services.Topology.ContentHost;
import org.crabro.container.Container;
import org.crabro.container.admin.ActiveFiles;
import org.crabro.content.node.GlobalDocuments;
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
    private final HostServer.ProcessParts parts;
    private final RemoteClusters clusters;
    private final Map<String, HostedCluster> hosted = new ConcurrentHashMap<>();
    private volatile Optional<Container> container = Optional.empty();
    private SortedMap<String, ClusterState> states = new TreeMap<>();

    /** The version of formats to write. */
    private int format;

    HostRoles(HostSettings host, HostServer.ProcessParts parts, RemoteClusters clusters) {
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
        Map<String, Set<String>> global = GlobalClusters.types(model, id -> states.containsKey(id));
        Topology topology =
                GlobalClusters.placed(model.services().topology(), global.keySet())
                        .on(parts.defaultHost());
        for (Map.Entry<String, Topology.ContentNodes> each : topology.contents().entrySet()) {
            for (Map.Entry<Integer, ContentHost> node : each.getValue().nodes().entrySet()) {
                if (node.getValue().name().equals(host.name())) {
                    HostedCluster _ = host(each.getKey(), node.getKey());
                }
            }
        }
        for (String id : hosted.keySet()) {
            if (topology.contents().containsKey(GlobalClusters.packaged(id))) {
                activate(id, model, global.getOrDefault(GlobalClusters.packaged(id), Set.of()));
            }
        }
        follow();
        clusters.route(global);
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
            activate(container.get(), model.withContainers(own));
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

    /**
     * Makes a container serve a model. If that fails, clients get the reason from the container.
     */
    private static void activate(Container container, ApplicationModel model) {
        try {
            Container.Prepared prepared = container.prepare(model, true);
            try {
                prepared.activate();
            } catch (RuntimeException e) {
                prepared.discard();
                throw e;
            }
        } finally {
            container.accept();
        }
    }

    /**
     * Activates the part of a model that a content node has.
     *
     * @param global the types in the global cluster
     */
    private void activate(String id, ApplicationModel model, Set<String> global) {
        String packaged = GlobalClusters.packaged(id);
        boolean isGlobal = GlobalClusters.isGlobal(id);
        ApplicationModel part =
                model.part((of, type) -> of.equals(packaged) && global.contains(type) == isGlobal);
        hosted(id)
                .ifPresent(node ->
                        node.activate(
                                part,
                                isGlobal || global.isEmpty()
                                        ? GlobalDocuments.NONE
                                        : new GlobalDocuments(global, () -> globalNode(packaged))));
    }

    /** Returns the node of this host with the parents of the documents of a content cluster. */
    private Optional<GlobalDocuments.Node> globalNode(String cluster) {
        return hosted(GlobalClusters.of(cluster)).flatMap(HostedCluster::globalNode);
    }

    private Optional<HostedCluster> hosted(String id) {
        return Optional.ofNullable(hosted.get(id));
    }

    private HostedCluster host(String cluster, int key) throws IOException {
        HostedCluster hostedCluster = hosted.get(cluster);
        if (hostedCluster == null) {
            hostedCluster =
                    HostedCluster.open(
                            cluster,
                            key,
                            host,
                            parts.content(cluster),
                            parts.memory(),
                            parts.failures());
            hosted.put(cluster, hostedCluster);
        }
        return hostedCluster;
    }

    @Override
    public synchronized void deactivate() {
        container.ifPresent(Container::deactivate);
    }

    @Override
    public synchronized void write(int version) {
        format = version;
        clusters.write(version);
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
                    parts.failures().accept("the node of '%s': %s".formatted(each.getKey(), e));
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
        return state.replicas()
                .filter(replica -> peer.filter(replica.peer()::equals).isPresent())
                .map(Replica::node)
                .findFirst();
    }

    private void follow() {
        hostFormer();
        for (Map.Entry<String, HostedCluster> each : hosted.entrySet()) {
            ClusterState state = states.get(each.getKey());
            if (state != null) {
                try {
                    each.getValue().follow(state, parents(each.getKey()), format);
                } catch (IOException e) {
                    LOG.error("the node of '{}' cannot be opened", each.getKey(), e);
                    parts.failures().accept("the node of '%s': %s".formatted(each.getKey(), e));
                }
            }
        }
    }

    /** Returns the state of the global cluster of a content cluster. */
    private Optional<ClusterState> parents(String cluster) {
        return Optional.ofNullable(states.get(GlobalClusters.of(cluster)));
    }

    @Override
    public synchronized void close() {
        container.ifPresent(Container::close);
        // Nodes with children read the documents of global ones.
        hosted.entrySet().stream()
                .sorted(Comparator.comparing(each -> GlobalClusters.isGlobal(each.getKey())))
                .forEach(each -> each.getValue().close());
        clusters.close();
    }
}
