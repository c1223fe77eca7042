package org.crabro.container;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.services.ContainerCluster;
import org.crabro.config.services.ContentCluster;
import org.crabro.config.services.Services;
import org.crabro.container.access.AccessHandler;
import org.crabro.container.access.OperatorRoutes;
import org.crabro.container.access.Route;
import org.crabro.container.http.ClusterNames;
import org.crabro.container.http.HealthState;
import org.crabro.container.http.MachineName;
import org.crabro.container.http.MetricIntervals;
import org.crabro.container.http.MetricsHandler;
import org.crabro.container.http.StateHandler;
import org.crabro.container.http.StatusHandler;
import org.crabro.protocol.cluster.NodeHealth;

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

    /** The handlers of the active application; before the first, those that most have. */
    private volatile List<StatusHandler.Binding> served =
            List.of(
                    new StatusHandler.Binding(DocumentEndpoints.NAME, List.of("/document/v1/*")),
                    new StatusHandler.Binding(SearchEndpoints.NAME, List.of("/search/*")));

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
    }

    /**
     * Shows that {@code model} is active and served.
     *
     * @param routes its handlers at all ports
     */
    void show(ApplicationModel model, List<Route> routes) {
        Services services = model.services();
        clusters =
                new ClusterNames(
                        only(services.containers().stream().map(ContainerCluster::id).toList()),
                        only(services.contents().stream().map(ContentCluster::id).toList()));
        served = OperatorRoutes.bindings(routes);
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

    /** Returns a handler for one port, which gives other requests to the active application. */
    AccessHandler before(GenerationHandler application) {
        var routes =
                new ArrayList<Route>(
                        OperatorRoutes.state(
                                new StateHandler(
                                        this::health,
                                        generation,
                                        metrics,
                                        settings.start().version())));
        routes.addAll(
                OperatorRoutes.status(
                        new StatusHandler(
                                this::health,
                                generation,
                                () -> Stream.concat(served.stream(), own(routes)).toList(),
                                settings.start().version())));
        routes.add(
                OperatorRoutes.metrics(
                        new MetricsHandler(this::health, () -> clusters, metrics, host)));
        return AccessHandler.before(routes, settings.start().access(), application);
    }

    private static Stream<StatusHandler.Binding> own(List<Route> routes) {
        return OperatorRoutes.bindings(routes).stream();
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
}
