package org.crabro.container.http;

import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.Callback;

/**
 * Waits for requests in progress when a listener stops. A client does not know that it stops, so a
 * request that it sends on an open connection meanwhile is answered, too. A connection of HTTP/1.1
 * is closed after this answer.
 */
final class LastRequests extends GracefulHandler {
    LastRequests(Handler handler) {
        super(handler);
    }

    @Override
    protected void handleShutdownRejection(Request request, Response response, Callback callback) {
        HttpVersion version = request.getConnectionMetaData().getHttpVersion();
        if (version.getVersion() < HttpVersion.HTTP_2.getVersion()) {
            response.getHeaders().put(HttpFields.CONNECTION_CLOSE);
        }
        try {
            if (!getHandler().handle(request, response, callback)) {
                Response.writeError(request, response, callback, HttpStatus.NOT_FOUND_404);
            }
        } catch (Exception e) {
            Response.writeError(request, response, callback, e);
        }
    }
}
