package org.crabro.container.http;

import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.RequestLog;
import org.eclipse.jetty.server.Response;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a line for each request to the logger {@code access}: time in ms since the epoch, remote
 * address, method, path, protocol, status, bytes sent, milliseconds taken, user agent. Queries and
 * documents stay out of it: they are people's own.
 */
public final class AccessLog implements RequestLog {
    private static final Logger LOG = LoggerFactory.getLogger("access");

    @Override
    public void log(Request request, Response response) {
        if (LOG.isInfoEnabled()) {
            LOG.info(
                    "{} {} {} {} {} {} {} {} \"{}\"",
                    Request.getTimeStamp(request),
                    Request.getRemoteAddr(request),
                    request.getMethod(),
                    request.getHttpURI().getPath(),
                    request.getConnectionMetaData().getProtocol(),
                    response.getStatus(),
                    Response.getContentBytesWritten(response),
                    (System.nanoTime() - request.getBeginNanoTime()) / 1_000_000,
                    request.getHeaders().get("User-Agent"));
        }
    }
}
