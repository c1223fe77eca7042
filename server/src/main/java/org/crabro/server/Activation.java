package org.crabro.server;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.crabro.config.application.Notice;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.deploy.ModelChanges;
import org.crabro.config.services.ContainerCluster;
import org.crabro.config.services.Topology;
import org.crabro.container.Container;
import org.crabro.container.admin.ModelActivation;
import org.crabro.container.admin.RunningService;
import org.crabro.server.warmup.QueryWarmUp;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Activates a model in the content nodes, then in the container, so that a query never names a part
 * of the model that the nodes do not have.
 */
final class Activation implements ModelActivation {
    private static final Logger LOG = LoggerFactory.getLogger(Activation.class);

    private final ContentStores content;
    private final Container container;
    private final QueryWarmUp warmUp;
    private Optional<ApplicationModel> active = Optional.empty();
    private Optional<Container.Prepared> restored = Optional.empty();

    /**
     * @param warmUp gets the applications that are deployed
     */
    Activation(ContentStores content, Container container, QueryWarmUp warmUp) {
        this.content = content;
        this.container = container;
        this.warmUp = warmUp;
    }

    @Override
    public Reply activate(ApplicationModel model, Occasion occasion) {
        Container.Prepared prepared;
        try {
            content.place(model);
            prepared = container.prepare(model, occasion == Occasion.DEPLOYMENT);
        } catch (IOException | RuntimeException e) {
            LOG.warn("generation {} cannot be served", model.generation(), e);
            return new Reply.Refused(String.valueOf(e.getMessage()));
        }
        try {
            content.activate(model);
            prepared.activate();
        } catch (RuntimeException e) {
            LOG.warn("generation {} cannot be served", model.generation(), e);
            prepared.discard();
            active.ifPresent(content::activate);
            return new Reply.Refused(String.valueOf(e.getMessage()));
        }
        active = Optional.of(model);
        restored = occasion == Occasion.START ? Optional.of(prepared) : Optional.empty();
        LOG.info(
                "generation {} is active: {}",
                model.generation(),
                served(container.url(), container.documentsUrl()));
        if (occasion == Occasion.DEPLOYMENT) {
            warmUp.deployed(model);
        }
        return new Reply.Activated();
    }

    @Override
    public void deactivate() {
        // The content nodes keep their model and all documents, and receive no more requests for
        // them.
        container.deactivate();
        active = Optional.empty();
        restored = Optional.empty();
        LOG.info("no generation is active any more");
    }

    /** Returns where an application is served, for people. */
    static String served(URI search, URI documents) {
        return search.equals(documents)
                ? "search and documents " + search
                : "search %s, documents %s".formatted(search, documents);
    }

    /** Returns the active application. */
    Optional<ApplicationModel> active() {
        return active;
    }

    /** Loads the models that the start postponed, after everything else has started. */
    void loadModels() {
        restored.ifPresent(Container.Prepared::loadModels);
    }

    @Override
    public boolean hasDocuments(ModelChanges.Stored type) {
        try {
            return content.hasDocuments(type);
        } catch (IOException e) {
            LOG.warn("whether documents of {} are stored is not known", type, e);
            return true;
        }
    }

    @Override
    public OptionalLong documentsWith(ModelChanges.Stored type, String path) {
        try {
            return OptionalLong.of(content.documentsWith(type, path));
        } catch (IOException e) {
            LOG.warn("the documents of {} with {} were not counted", type, path, e);
            return OptionalLong.empty();
        }
    }

    @Override
    public List<Notice> notices(ApplicationModel model) {
        List<Notice> notices = new ArrayList<>(container.notices(model));
        notices.addAll(alone(model.services().topology()));
        return notices;
    }

    /** Returns what a package requests of several servers. */
    static List<Notice> alone(Topology topology) {
        List<Notice> notices = new ArrayList<>();
        var nodes = new TreeMap<String, Integer>();
        topology.containers()
                .forEach((id, hosts) -> nodes.put("container '" + id + "'", hosts.size()));
        topology.contents()
                .forEach((id, content) -> {
                    nodes.put("content '" + id + "'", content.nodes().size());
                    if (content.redundancy() > 1) {
                        notices.add(
                                new Notice(
                                        Notice.Level.INFO,
                                        "content '%s': %d copies are requested; a server without --config-servers keeps one"
                                                .formatted(id, content.redundancy())));
                    }
                });
        nodes.forEach((cluster, count) -> {
            if (count > 1) {
                notices.add(
                        new Notice(
                                Notice.Level.WARNING,
                                "%s: %d nodes are requested; a server without --config-servers does all work"
                                        .formatted(cluster, count)));
            }
        });
        return notices;
    }

    @Override
    public List<RunningService> services() {
        return active.stream()
                .flatMap(model ->
                        model.services().containers().stream()
                                .flatMap(cluster ->
                                        cluster.http().servers().stream()
                                                .map(server -> service(model, cluster, server))))
                .distinct()
                .toList();
    }

    private RunningService service(
            ApplicationModel model, ContainerCluster cluster, ContainerCluster.HttpServer server) {
        return new RunningService(
                "container",
                cluster.id(),
                container.url().getHost(),
                container.port(server),
                model.generation());
    }
}
