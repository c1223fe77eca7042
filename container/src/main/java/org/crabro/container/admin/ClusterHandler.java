package org.crabro.container.admin;

import java.io.IOException;
import java.util.Optional;
import org.crabro.container.http.JsonReply;
import org.crabro.container.http.RequestPath;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Answers at {@code /cluster/v2}: GET returns the state of the cluster. PUT and DELETE of {@code
 * /cluster/v2/maintenance/HOST} begin and end the maintenance of a host.
 */
final class ClusterHandler extends Handler.Abstract {
    static final String PATH = "/cluster/v2";
    static final String MAINTENANCE = PATH + "/maintenance/";

    private final Optional<ClusterAdmin> cluster;

    /**
     * @param cluster empty for a server that is not part of a cluster
     */
    ClusterHandler(Optional<ClusterAdmin> cluster) {
        this.cluster = cluster;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback)
            throws IOException {
        String path = RequestPath.of(request).text();
        if (!path.equals(PATH) && !path.startsWith(MAINTENANCE)) {
            return false;
        }
        if (cluster.isEmpty()) {
            AdminError.NOT_FOUND.send(
                    response,
                    callback,
                    "this server is not part of a cluster; start it with --config-servers");
        } else if (path.equals(PATH)) {
            state(cluster.get(), request, response, callback);
        } else {
            String host = path.substring(MAINTENANCE.length());
            try {
                maintain(cluster.get(), host, request, response, callback);
            } catch (UnavailableException e) {
                ConfigPort.refuse(response, callback, String.valueOf(e.getMessage()));
            }
        }
        return true;
    }

    private static void state(
            ClusterAdmin cluster, Request request, Response response, Callback callback) {
        if (HttpMethod.GET.is(request.getMethod())) {
            JsonReply.send(response, callback, HttpStatus.OK_200, cluster.json());
        } else {
            refuse("GET", request, response, callback);
        }
    }

    private static void maintain(
            ClusterAdmin cluster,
            String host,
            Request request,
            Response response,
            Callback callback)
            throws IOException {
        boolean begins = HttpMethod.PUT.is(request.getMethod());
        if (!begins && !HttpMethod.DELETE.is(request.getMethod())) {
            refuse("PUT, DELETE", request, response, callback);
        } else if (cluster.maintain(host, begins)) {
            JsonReply.send(
                    response,
                    callback,
                    HttpStatus.OK_200,
                    "message",
                    "host '%s' is %s maintenance".formatted(host, begins ? "in" : "out of"));
        } else {
            AdminError.NOT_FOUND.send(
                    response, callback, "the cluster has no host '%s'".formatted(host));
        }
    }

    private static void refuse(
            String allowed, Request request, Response response, Callback callback) {
        response.getHeaders().put(HttpHeader.ALLOW, allowed);
        AdminError.METHOD_NOT_ALLOWED.send(
                response,
                callback,
                "%s is not allowed, only %s".formatted(request.getMethod(), allowed));
    }
}
