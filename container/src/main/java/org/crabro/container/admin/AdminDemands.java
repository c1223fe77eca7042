package org.crabro.container.admin;

import java.util.Set;
import org.crabro.container.access.AccessHandler.Demand;
import org.crabro.container.access.OperatorDemands;
import org.crabro.container.console.ConsoleDemands;
import org.crabro.protocol.wire.Permission;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** The permissions that requests to the config port need. */
final class AdminDemands {
    private static final Demand DEPLOY =
            new Demand(Set.of(Permission.DEPLOY), AdminDemands::refuse);
    private static final Demand ADMIN = new Demand(Set.of(Permission.ADMIN), AdminDemands::refuse);
    private static final Demand ADMIN_OF_ALL =
            new Demand(Set.of(Permission.ADMIN), true, AdminDemands::refuse);
    private static final Demand EITHER =
            new Demand(Set.of(Permission.DEPLOY, Permission.ADMIN), AdminDemands::refuse);

    private AdminDemands() {}

    static Demand of(Request request) {
        String path = AdminExchange.path(request);
        if (path.startsWith(AdminPath.ROOT)) {
            return of(AdminPath.parse(path).path(), HttpMethod.GET.is(request.getMethod()));
        }
        if (path.startsWith("/console/")) {
            return ConsoleDemands.of(request);
        }
        String inContext = Request.getPathInContext(request);
        if (inContext.startsWith(ClusterHandler.MAINTENANCE)) {
            return ADMIN_OF_ALL;
        }
        return switch (inContext) {
            case BackupHandler.PATH, SettleHandler.PATH -> ADMIN_OF_ALL;
            case ClusterHandler.PATH -> ADMIN;
            default -> OperatorDemands.of(request);
        };
    }

    private static Demand of(AdminPath path, boolean isGet) {
        return switch (path) {
            case AdminPath.Restart() -> ADMIN;
            case AdminPath.Logs(), AdminPath.Reindex() -> ADMIN_OF_ALL;
            case AdminPath.Tenants(),
                    AdminPath.Tenant(_),
                    AdminPath.Host(_),
                    AdminPath.PrepareAndActivate(),
                    AdminPath.Applications(),
                    AdminPath.Application(),
                    AdminPath.ServiceConverge(),
                    AdminPath.ServiceStatus(_),
                    AdminPath.Reindexing(),
                    AdminPath.NewSession(),
                    AdminPath.SessionPrepared(_),
                    AdminPath.SessionActive(_),
                    AdminPath.Content _,
                    AdminPath.Refused(_),
                    AdminPath.NotTold(_),
                    AdminPath.Unknown(_) ->
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
