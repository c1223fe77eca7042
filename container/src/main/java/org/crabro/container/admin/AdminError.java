package org.crabro.container.admin;

import org.crabro.container.http.JsonReply;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** The errors that clients of the deploy interface know, sorted by blame. */
enum AdminError {
    /** A package is invalid, or may not follow the active application. */
    INVALID_APPLICATION_PACKAGE(HttpStatus.BAD_REQUEST_400),
    /** A request is invalid. */
    BAD_REQUEST(HttpStatus.BAD_REQUEST_400),
    /** The body of a request is too slow. */
    REQUEST_TIMEOUT(HttpStatus.REQUEST_TIMEOUT_408),
    REQUEST_TOO_LARGE(HttpStatus.PAYLOAD_TOO_LARGE_413),
    UNAUTHORIZED(HttpStatus.UNAUTHORIZED_401),
    FORBIDDEN(HttpStatus.FORBIDDEN_403),
    /** A principal sends more requests than it may. */
    TOO_MANY_REQUESTS(HttpStatus.TOO_MANY_REQUESTS_429),
    NOT_FOUND(HttpStatus.NOT_FOUND_404),
    METHOD_NOT_ALLOWED(HttpStatus.METHOD_NOT_ALLOWED_405),
    /** Another deployment is in progress. */
    APPLICATION_LOCK_FAILURE(HttpStatus.CONFLICT_409),
    /** Another session was activated after this one was created. */
    ACTIVATION_CONFLICT(HttpStatus.CONFLICT_409),
    /** Too many sessions wait for activation. */
    QUOTA_EXCEEDED(HttpStatus.BAD_REQUEST_400),
    /** A version of Vespa that packages cannot name here. */
    UNKNOWN_VESPA_VERSION(HttpStatus.BAD_REQUEST_400),
    /** The bound of concurrent uploads is reached. */
    TOO_MANY_UPLOADS(HttpStatus.TOO_MANY_REQUESTS_429),
    /** Another backup is in progress. */
    BACKUP_UNDER_WAY(HttpStatus.CONFLICT_409),
    /** Another request flushes and merges everything. */
    SETTLE_UNDER_WAY(HttpStatus.CONFLICT_409),
    /** No config server can do this now. */
    SERVICE_UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE_503),
    INTERNAL_SERVER_ERROR(HttpStatus.INTERNAL_SERVER_ERROR_500);

    private final int status;

    AdminError(int status) {
        this.status = status;
    }

    /** Answers with this error. */
    void send(Response response, Callback callback, String message) {
        JsonReply.send(
                response,
                callback,
                status,
                json -> {
                    json.writeStartObject();
                    json.writeStringProperty("error-code", name());
                    json.writeStringProperty("message", message);
                    json.writeEndObject();
                });
    }
}
