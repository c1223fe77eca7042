package org.crabro.server.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
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
import org.crabro.server.cluster.ClusterController.ReportedHost;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a package the one that the servers of a cluster should serve. They fetch it at their next
 * report.
 */
final class ClusterActivation implements ModelActivation {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterActivation.class);

    private final ClusterController controller;

    /** The model that was activated last; also after its end, because its documents stay. */
    private volatile Optional<ApplicationModel> last = Optional.empty();

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
        Map<String, Set<String>> apart = GlobalClusters.types(model, controller::hasCluster);
        Optional<String> refusal = moved(model, apart).or(() -> controller.takenKey(topology));
        if (occasion == Occasion.DEPLOYMENT && refusal.isPresent()) {
            return new Reply.Refused(refusal.get());
        }
        try {
            controller.activate(
                    model.generation(),
                    model.name().text(),
                    GlobalClusters.placed(topology, apart.keySet()));
            last = Optional.of(model);
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
     * Returns why documents would not be where the package looks for them: types that are stored in
     * the same content cluster for both packages stay where they are.
     *
     * @param apart the types in global clusters
     */
    private Optional<String> moved(ApplicationModel model, Map<String, Set<String>> apart) {
        Topology topology = model.services().topology();
        for (ContentCluster content : model.services().contents()) {
            String id = content.id();
            if (GlobalClusters.isGlobal(id)) {
                return Optional.of(
                        "content '%s': an id that ends like that has another use in clusters of servers; choose another id"
                                .formatted(id));
            }
            for (ClusterDocument document : content.documents()) {
                boolean isApart = apart.getOrDefault(id, Set.of()).contains(document.type());
                Optional<Boolean> wasApart = wasApart(id, document.type());
                if (wasApart.equals(Optional.of(!isApart))) {
                    return Optional.of(
                            isApart
                                    ? "content '%s': each of the %d nodes needs all documents of global type '%s', but those that are stored are on some nodes, and moving them is not built; use at most 3 nodes, with redundancy 2 or more, or another content cluster"
                                            .formatted(
                                                    id,
                                                    GlobalClusters.nodes(id, topology),
                                                    document.type())
                                    : "content '%s': the documents of type '%s' are on all nodes, and moving them is not built; the type stays global"
                                            .formatted(id, document.type()));
                }
            }
        }
        return Optional.empty();
    }

    /**
     * Returns whether stored documents of a type are in a global cluster; empty if none can be
     * stored.
     */
    private Optional<Boolean> wasApart(String cluster, String type) {
        boolean isSplit = controller.hasCluster(GlobalClusters.of(cluster));
        if (last.isEmpty()) {
            // It is not known which types the content cluster had.
            return controller.hasReplicas(cluster) && !isSplit
                    ? Optional.of(false)
                    : Optional.empty();
        }
        return last.get().services().contents().stream()
                .filter(each -> each.id().equals(cluster))
                .flatMap(each -> each.documents().stream())
                .filter(each -> each.type().equals(type))
                .map(each -> isSplit && each.isGlobal())
                .findFirst();
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
    public long servedGeneration(long active) {
        return controller.servedGeneration();
    }

    @Override
    public List<RunningService> services() {
        List<RunningService> services = new ArrayList<>();
        Map<String, List<String>> hosts = controller.topology().containers();
        for (ReportedHost host : controller.hosts()) {
            hosts.forEach((cluster, names) -> {
                if (names.contains(host.name()) && host.containerPort() != 0) {
                    services.add(
                            new RunningService(
                                    "container",
                                    cluster,
                                    host.name(),
                                    host.containerPort(),
                                    host.generation()));
                }
            });
        }
        return services;
    }
}
