package org.crabro.container.http;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers requests that no handler answered, that failed in a handler, or that the server rejects
 * before it calls one, for example because headers are too large. The answer is {@code
 * {"message":…}}. The cause is logged and never sent to the client.
 */
final class JsonErrorHandler extends ErrorHandler {
    private static final Logger LOG = LoggerFactory.getLogger(JsonErrorHandler.class);

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        CorsReply.restore(request, response);
        response.getHeaders().put(CanonicalPaths.NO_SNIFFING);
        int status = response.getStatus();
        String message =
                request.getAttribute(ERROR_MESSAGE) instanceof String text
                        ? text
                        : HttpStatus.getMessage(status);
        if (status >= HttpStatus.INTERNAL_SERVER_ERROR_500
                && request.getAttribute(ERROR_EXCEPTION) instanceof Throwable cause
                && !hasLeft(cause)) {
            LOG.error("{} {} failed", request.getMethod(), request.getHttpURI().getPath(), cause);
            message = "internal error; see the server's log";
        }
        if (status == HttpStatus.BAD_REQUEST_400
                && request.getAttribute(ERROR_EXCEPTION) instanceof Throwable refusal
                && refusal.getCause() instanceof IllegalArgumentException cause) {
            // For example %00 in a path; no part of the request is available.
            message = "the request cannot be read: " + cause.getMessage();
        }
        if (status == HttpStatus.SERVICE_UNAVAILABLE_503) {
            response.getHeaders().put(HttpHeader.RETRY_AFTER, 1);
        }
        JsonReply.sendProblem(request, response, callback, status, message);
        return true;
    }

    /** Returns whether a request failed because its client has disconnected. */
    private static boolean hasLeft(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof EofException) {
                return true;
            }
        }
        return false;
    }
}
