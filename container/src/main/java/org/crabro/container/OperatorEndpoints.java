package org.crabro.container;

import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.services.ContainerCluster;
import org.crabro.config.services.ContentCluster;
import org.crabro.config.services.Services;
import org.crabro.container.access.AccessHandler;
import org.crabro.container.access.OperatorDemands;
import org.crabro.container.http.ClusterNames;
import org.crabro.container.http.HealthState;
import org.crabro.container.http.MachineName;
import org.crabro.container.http.MetricIntervals;
import org.crabro.container.http.MetricsHandler;
import org.crabro.container.http.StateHandler;
import org.crabro.container.http.StatusHandler;
import org.crabro.protocol.cluster.NodeHealth;
import org.eclipse.jetty.server.Handler;

/**
 * The handlers of operators: state, status and metrics of the container.
 *
 * <p>One thread at a time changes their content; many threads read it.
 */
final class OperatorEndpoints {
    private static final HealthState NOTHING_DEPLOYED =
            new HealthState(HealthState.Code.INITIALIZING, "no application is deployed");

    private final ContainerSettings settings;
    private final Supplier<NodeHealth> nodeHealth;
    private final LongSupplier generation;
    private final MetricIntervals metrics;
    private final String host;

    private volatile HealthState health = NOTHING_DEPLOYED;
    private volatile ClusterNames clusters = ClusterNames.NONE;
    private volatile List<String> searchPaths;
    private volatile List<String> documentPaths;

    /**
     * @param nodeHealth returns the health of the content nodes; called for each request
     * @param generation the number of the active application, 0 for none
     */
    OperatorEndpoints(
            ContainerSettings settings,
            Supplier<NodeHealth> nodeHealth,
            LongSupplier generation,
            MetricIntervals metrics) {
        this.settings = settings;
        this.nodeHealth = nodeHealth;
        this.generation = generation;
        this.metrics = metrics;
        this.host = MachineName.ofThis();
        this.searchPaths = List.of("/search/*");
        this.documentPaths = List.of("/document/v1/*");
    }

    /** Shows that {@code model} is active and served. */
    void show(ApplicationModel model) {
        Services services = model.services();
        clusters =
                new ClusterNames(
                        only(services.containers().stream().map(ContainerCluster::id).toList()),
                        only(services.contents().stream().map(ContentCluster::id).toList()));
        searchPaths = SearchEndpoints.paths(model);
        documentPaths = DocumentEndpoints.paths(model);
        health = HealthState.UP;
    }

    private static Optional<String> only(List<String> names) {
        return names.size() == 1 ? Optional.of(names.getFirst()) : Optional.empty();
    }

    /** Shows that no application is active. */
    void showNothing() {
        health = NOTHING_DEPLOYED;
        clusters = ClusterNames.NONE;
    }

    /** Shows that the container stops. */
    void showStopping() {
        health = new HealthState(HealthState.Code.DOWN, "stopping");
    }

    /** Returns a handler for one port. */
    Handler handler() {
        return new AccessHandler(
                new Handler.Sequence(
                        new StateHandler(
                                this::health, generation, metrics, settings.start().version()),
                        new StatusHandler(
                                this::health,
                                generation,
                                this::bindings,
                                settings.start().version()),
                        new MetricsHandler(this::health, () -> clusters, metrics, host)),
                settings.start().access(),
                OperatorDemands::of);
    }

    /** Returns the state of the container, or that of the nodes if it is worse. */
    private HealthState health() {
        HealthState own = health;
        if (own.code() == HealthState.Code.DOWN) {
            return own;
        }
        NodeHealth nodes = nodeHealth.get();
        if (nodes.failure().isPresent()) {
            return new HealthState(HealthState.Code.DOWN, nodes.failure().get());
        }
        return own.code() == HealthState.Code.UP && !nodes.problems().isEmpty()
                ? new HealthState(HealthState.Code.UP, String.join("; ", nodes.problems()))
                : own;
    }

    private List<StatusHandler.Binding> bindings() {
        return List.of(
                new StatusHandler.Binding(
                        "org.crabro.container.document.DocumentV1ApiHandler", documentPaths),
                new StatusHandler.Binding("org.crabro.container.search.SearchHandler", searchPaths),
                new StatusHandler.Binding(StateHandler.class.getName(), List.of("/state/v1/*")),
                new StatusHandler.Binding(
                        MetricsHandler.class.getName(), List.of("/metrics/*", "/prometheus/*")));
    }
}
