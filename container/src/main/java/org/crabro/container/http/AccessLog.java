package org.crabro.container.http;

import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.RequestLog;
import org.eclipse.jetty.server.Response;

/**
 * Writes a line for each request to the logger {@code access}: time in ms since the epoch, remote
 * address, method, path, protocol, status, bytes sent, milliseconds taken, user agent. Queries and
 * documents stay out of it: they are people's own.
 *
 * <p>Hands its lines to the platform's logging itself: SLF4J's bridge walks the stack for the
 * caller of each line, which took a twentieth of a small query's processor time.
 */
public final class AccessLog implements RequestLog {
    private static final Logger LOG = Logger.getLogger("access");

    @Override
    public void log(Request request, Response response) {
        if (LOG.isLoggable(Level.INFO)) {
            var line = new LogRecord(Level.INFO, line(request, response));
            line.setLoggerName(LOG.getName());
            LOG.log(line);
        }
    }

    private static String line(Request request, Response response) {
        return Request.getTimeStamp(request)
                + " "
                + Request.getRemoteAddr(request)
                + " "
                + request.getMethod()
                + " "
                + request.getHttpURI().getPath()
                + " "
                + request.getConnectionMetaData().getProtocol()
                + " "
                + response.getStatus()
                + " "
                + Response.getContentBytesWritten(response)
                + " "
                + (System.nanoTime() - request.getBeginNanoTime()) / 1_000_000
                + " \""
                + request.getHeaders().get("User-Agent")
                + '"';
    }
}
