package org.crabro.container.access;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import org.crabro.container.access.AccessHandler.Demand;
import org.crabro.container.access.Route.Paths;
import org.crabro.container.http.JsonReply;
import org.crabro.container.http.MetricsHandler;
import org.crabro.container.http.StateHandler;
import org.crabro.container.http.StatusHandler;
import org.crabro.protocol.wire.Permission;

/** The registration of the handlers for operators, which both ports have. */
public final class OperatorRoutes {
    /** Metrics count the documents and requests of all groups. */
    private static final Demand METRICS =
            new Demand(Set.of(Permission.READ, Permission.ADMIN), true, JsonReply::sendProblem);

    private OperatorRoutes() {}

    /** Registers health for everybody, and the other resources by their content. */
    public static List<Route> state(StateHandler handler) {
        return List.of(
                new Route(handler, Paths.at("/state/v1/health"), _ -> Demand.NOTHING),
                new Route(handler, Paths.below("/state/v1/metrics"), _ -> METRICS),
                new Route(handler, Paths.below("/state/v1"), _ -> Demand.ANY));
    }

    /** Registers the page for load balancers for everybody, and lists of handlers. */
    public static List<Route> status(StatusHandler handler) {
        return List.of(
                new Route(handler, Paths.at("/status.html"), _ -> Demand.NOTHING),
                new Route(handler, Paths.at("/", "/ApplicationStatus"), _ -> Demand.ANY));
    }

    /** Returns what the pages of status show of handlers: their names, each with all its paths. */
    public static List<StatusHandler.Binding> bindings(List<Route> routes) {
        var paths = new LinkedHashMap<String, List<String>>();
        routes.forEach(route ->
                paths.computeIfAbsent(route.name(), _ -> new ArrayList<>())
                        .addAll(route.paths().shown()));
        return paths.entrySet().stream()
                .map(each -> new StatusHandler.Binding(each.getKey(), each.getValue()))
                .toList();
    }

    /** Registers metrics. */
    public static Route metrics(MetricsHandler handler) {
        return new Route(handler, Paths.below("/metrics", "/prometheus"), _ -> METRICS);
    }
}
