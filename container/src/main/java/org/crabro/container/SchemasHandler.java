package org.crabro.container;

import java.nio.charset.StandardCharsets;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.container.access.AccessHandler.Demand;
import org.crabro.container.access.Route;
import org.crabro.container.http.JsonReply;
import org.crabro.container.http.RequestPath;
import org.crabro.container.mcp.SchemaDescription;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Answers {@code GET /crabro/v1/schemas}: the names that a query of the application can contain.
 * Passes other requests to the next handler.
 */
final class SchemasHandler extends Handler.Abstract.NonBlocking {
    static final String PATH = "/crabro/v1/schemas";

    private final byte[] schemas;

    SchemasHandler(ApplicationModel model) {
        this.schemas = SchemaDescription.of(model).getBytes(StandardCharsets.UTF_8);
    }

    /** Registers this for everybody who may read. */
    Route route() {
        return new Route(this, Route.Paths.at(PATH), Demand::byMethod);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        if (!RequestPath.of(request).text().equals(PATH)) {
            return false;
        }
        if (!HttpMethod.GET.is(request.getMethod()) && !HttpMethod.HEAD.is(request.getMethod())) {
            response.getHeaders().put(HttpHeader.ALLOW, "GET, HEAD");
            JsonReply.sendProblem(
                    request,
                    response,
                    callback,
                    HttpStatus.METHOD_NOT_ALLOWED_405,
                    "expected GET or HEAD but found " + request.getMethod());
            return true;
        }
        JsonReply.send(response, callback, HttpStatus.OK_200, schemas);
        return true;
    }
}
