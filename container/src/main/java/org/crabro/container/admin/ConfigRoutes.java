package org.crabro.container.admin;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.crabro.container.access.AccessHandler.Demand;
import org.crabro.container.access.AccessHandler.Demands;
import org.crabro.container.access.OperatorRoutes;
import org.crabro.container.access.Route;
import org.crabro.container.access.Route.Paths;
import org.crabro.container.console.ConsoleHandler;
import org.crabro.container.http.HealthState;
import org.crabro.container.http.StateHandler;
import org.crabro.container.http.StatusHandler;
import org.crabro.protocol.wire.Permission;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** The registration of the handlers of the config port, with the permissions that they need. */
final class ConfigRoutes {
    static final Demand ADMIN = new Demand(Set.of(Permission.ADMIN), ConfigRoutes::refuse);
    static final Demand ADMIN_OF_ALL =
            new Demand(Set.of(Permission.ADMIN), true, ConfigRoutes::refuse);

    private static final Demand DEPLOY =
            new Demand(Set.of(Permission.DEPLOY), ConfigRoutes::refuse);
    private static final Demand EITHER =
            new Demand(Set.of(Permission.DEPLOY, Permission.ADMIN), ConfigRoutes::refuse);

    private ConfigRoutes() {}

    /**
     * @param leader answers for the config server that leads
     */
    static List<Route> of(
            StateHandler state,
            Handler leader,
            BackupHandler backup,
            SettleHandler settling,
            ConsoleHandler console) {
        var routes = new ArrayList<>(OperatorRoutes.state(state));
        routes.add(
                route(
                        AdminHandler.class,
                        Paths.in(AdminPath.ROOT),
                        ConfigRoutes::packages,
                        leader));
        routes.add(route(ClusterHandler.class, Paths.at(ClusterHandler.PATH), _ -> ADMIN, leader));
        routes.add(
                route(
                        ClusterHandler.class,
                        Paths.in(ClusterHandler.MAINTENANCE),
                        _ -> ADMIN_OF_ALL,
                        leader));
        routes.add(new Route(backup, Paths.at(BackupHandler.PATH), _ -> ADMIN_OF_ALL));
        routes.add(new Route(settling, Paths.at(SettleHandler.PATH), _ -> ADMIN_OF_ALL));
        routes.addAll(console.routes());
        return routes;
    }

    private static Route route(Class<?> named, Paths paths, Demands demands, Handler handler) {
        return new Route(named.getName(), paths, demands, handler);
    }

    /** Returns {@code routes} and the page that lists them. */
    static List<Route> withStatus(List<Route> routes, LongSupplier generation, String version) {
        var all = new ArrayList<Route>(routes);
        all.addAll(
                OperatorRoutes.status(
                        new StatusHandler(
                                () -> HealthState.UP,
                                generation,
                                () -> OperatorRoutes.bindings(all),
                                version)));
        return all;
    }

    private static Demand packages(Request request) {
        boolean isGet = HttpMethod.GET.is(request.getMethod());
        return switch (AdminPath.parse(AdminExchange.path(request)).path()) {
            case AdminPath.Restart() -> ADMIN;
            case AdminPath.Logs(), AdminPath.Reindex() -> ADMIN_OF_ALL;
            case AdminPath.OfApplication _, AdminPath.OfServer _, AdminPath.Content _ ->
                    isGet ? EITHER : DEPLOY;
        };
    }

    private static void refuse(
            Request request, Response response, Callback callback, int status, String message) {
        switch (status) {
            case HttpStatus.UNAUTHORIZED_401 ->
                    AdminError.UNAUTHORIZED.send(response, callback, message);
            case HttpStatus.FORBIDDEN_403 -> AdminError.FORBIDDEN.send(response, callback, message);
            case HttpStatus.TOO_MANY_REQUESTS_429 ->
                    AdminError.TOO_MANY_REQUESTS.send(response, callback, message);
            default -> throw new IllegalArgumentException("no refusal has status " + status);
        }
    }
}
