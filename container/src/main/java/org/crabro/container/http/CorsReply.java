package org.crabro.container.http;

import java.time.Duration;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** The headers of CORS for pages of allowed origins. */
final class CorsReply {
    private static final String METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

    /** If any origin is allowed, answers depend on the origin, and caches must know. */
    static final HttpField VARY = new HttpField(HttpHeader.VARY, HttpHeader.ORIGIN.asString());

    /** How long a browser may remember the answer to a preflight request. */
    private static final Duration PREFLIGHT_AGE = Duration.ofMinutes(10);

    /** The attribute of a request that holds its allowed origin. */
    private static final String ALLOWED = CorsReply.class.getName() + ".allowed";

    private CorsReply() {}

    /** Allows pages of {@code origin} to read the answer, also the answer of a failed handler. */
    static void allow(Request request, Response response, String origin) {
        request.setAttribute(ALLOWED, origin);
        allow(response, origin);
    }

    /** Sets the headers again: Jetty drops all headers when a handler fails. */
    static void restore(Request request, Response response) {
        if (request.getAttribute(ALLOWED) instanceof String origin) {
            allow(response, origin);
            response.getHeaders().ensureField(VARY);
        }
    }

    private static void allow(Response response, String origin) {
        HttpFields.Mutable headers = response.getHeaders();
        headers.put(HttpHeader.ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.put(HttpHeader.ACCESS_CONTROL_ALLOW_CREDENTIALS, "true");
        headers.put(HttpHeader.ACCESS_CONTROL_EXPOSE_HEADERS, HttpHeader.RETRY_AFTER.asString());
    }

    /** Returns whether a request is a preflight request. */
    static boolean isPreflight(Request request) {
        return HttpMethod.OPTIONS.is(request.getMethod())
                && request.getHeaders().contains(HttpHeader.ACCESS_CONTROL_REQUEST_METHOD);
    }

    /** Allows every method, and the headers that the browser requests. */
    static void answerPreflight(Request request, Response response, Callback callback) {
        HttpFields.Mutable headers = response.getHeaders();
        headers.put(HttpHeader.ACCESS_CONTROL_ALLOW_METHODS, METHODS);
        String asked = request.getHeaders().get(HttpHeader.ACCESS_CONTROL_REQUEST_HEADERS);
        if (asked != null) {
            headers.put(HttpHeader.ACCESS_CONTROL_ALLOW_HEADERS, asked);
        }
        headers.put(HttpHeader.ACCESS_CONTROL_MAX_AGE, PREFLIGHT_AGE.toSeconds());
        response.setStatus(HttpStatus.NO_CONTENT_204);
        callback.succeeded();
    }
}
