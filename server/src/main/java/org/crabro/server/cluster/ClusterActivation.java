package org.crabro.server.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;
import org.crabro.config.application.Notice;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.deploy.ModelChanges;
import org.crabro.config.services.ContentCluster;
import org.crabro.config.services.ContentCluster.ClusterDocument;
import org.crabro.config.services.Topology;
import org.crabro.container.admin.ModelActivation;
import org.crabro.container.admin.RunningService;
import org.crabro.container.admin.UnavailableException;
import org.crabro.protocol.cluster.Placement;
import org.crabro.server.cluster.ClusterController.KnownHost;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a package the one that the servers of a cluster should serve. They fetch it at their next
 * report.
 */
final class ClusterActivation implements ModelActivation {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterActivation.class);

    private final ClusterController controller;

    ClusterActivation(ClusterController controller) {
        this.controller = controller;
    }

    @Override
    public Reply activate(ApplicationModel model, Occasion occasion) {
        Topology topology = model.services().topology();
        SortedSet<String> unknown = controller.unknownHosts(topology);
        if (occasion == Occasion.DEPLOYMENT && !unknown.isEmpty()) {
            return new Reply.Refused(
                    "no server runs as host %s, which the package names; start one with --host"
                            .formatted(String.join(", ", unknown)));
        }
        Optional<String> refusal = globalTypes(model).or(() -> controller.takenKey(topology));
        if (occasion == Occasion.DEPLOYMENT && refusal.isPresent()) {
            return new Reply.Refused(refusal.get());
        }
        try {
            controller.activate(model.generation(), model.name().text(), topology);
        } catch (UnavailableException e) {
            return new Reply.Unavailable(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            LOG.warn("generation {} could not be recorded", model.generation(), e);
            return new Reply.Refused(String.valueOf(e.getMessage()));
        }
        LOG.info("generation {} should be active on all servers", model.generation());
        return new Reply.Activated();
    }

    /**
     * Returns why global documents would not be on every node. A node finds parents in its own
     * replicas, so it needs one of each shard.
     */
    private static Optional<String> globalTypes(ApplicationModel model) {
        Topology topology = model.services().topology();
        for (ContentCluster content : model.services().contents()) {
            Topology.ContentNodes nodes = topology.contents().get(content.id());
            int count = nodes == null ? 1 : nodes.wanted();
            int replicas = nodes == null ? 1 : Placement.replicas(nodes.redundancy(), count);
            Optional<String> global =
                    content.documents().stream()
                            .filter(ClusterDocument::isGlobal)
                            .map(ClusterDocument::type)
                            .findFirst();
            if (count > replicas && global.isPresent()) {
                return Optional.of(
                        "content '%s': type '%s' is global, so each of the %d nodes needs all its documents, but each document has %d replicas; use at most 3 nodes, with redundancy 2 or more"
                                .formatted(content.id(), global.get(), count, replicas));
            }
        }
        return Optional.empty();
    }

    @Override
    public void deactivate() throws IOException {
        controller.deactivate();
        LOG.info("no generation should be active any more");
    }

    /** The nodes with documents are elsewhere, so it is assumed that there are some. */
    @Override
    public boolean hasDocuments(ModelChanges.Stored type) {
        return true;
    }

    @Override
    public OptionalLong documentsWith(ModelChanges.Stored type, String path) {
        return OptionalLong.empty();
    }

    @Override
    public List<Notice> notices(ApplicationModel model) {
        List<Notice> notices = new ArrayList<>();
        Topology topology = model.services().topology();
        topology.contents()
                .forEach((id, content) -> {
                    int nodes = content.wanted();
                    int replicas = Placement.replicas(content.redundancy(), nodes);
                    if (replicas < content.redundancy()) {
                        notices.add(
                                warning(
                                        "content '%s': redundancy is %d, but each document has %d replicas: %s"
                                                .formatted(
                                                        id,
                                                        content.redundancy(),
                                                        replicas,
                                                        nodes < 3
                                                                ? "there are %d nodes"
                                                                        .formatted(nodes)
                                                                : "that is the most")));
                    }
                    if (replicas == 2) {
                        notices.add(
                                warning(
                                        "content '%s': with two nodes, both are needed for writes; a third one lets"
                                                        .formatted(id)
                                                + " writes go on when one fails"));
                    }
                    if (nodes > ClusterController.SHARDS * replicas) {
                        notices.add(
                                warning(
                                        "content '%s': %d shards with %d replicas use at most %d of the %d nodes"
                                                .formatted(
                                                        id,
                                                        ClusterController.SHARDS,
                                                        replicas,
                                                        ClusterController.SHARDS * replicas,
                                                        nodes)));
                    }
                });
        return notices;
    }

    private static Notice warning(String text) {
        return new Notice(Notice.Level.WARNING, text);
    }

    @Override
    public List<RunningService> services() {
        List<RunningService> services = new ArrayList<>();
        Map<String, List<String>> hosts = controller.topology().containers();
        for (KnownHost host : controller.hosts()) {
            hosts.forEach((cluster, names) -> {
                if (names.contains(host.name()) && host.containerPort() != 0) {
                    services.add(
                            new RunningService(
                                    "container", cluster, host.name(), host.containerPort()));
                }
            });
        }
        return services;
    }
}
