package org.crabro.container.document;

import org.crabro.component.QueryError;
import org.eclipse.jetty.http.HttpStatus;

/** The status of an operation whose indexing script cannot generate a value. */
public final class GenerationStatus {
    private GenerationStatus() {}

    /** Returns the status for a kind of error. */
    public static int of(QueryError.Kind kind) {
        return switch (kind) {
            case INVALID_QUERY -> HttpStatus.BAD_REQUEST_400;
            case FORBIDDEN -> HttpStatus.FORBIDDEN_403;
            case OVERLOADED -> HttpStatus.TOO_MANY_REQUESTS_429;
            case UNAVAILABLE -> HttpStatus.SERVICE_UNAVAILABLE_503;
            case TIMED_OUT -> HttpStatus.GATEWAY_TIMEOUT_504;
            case FAILED, WARNING -> HttpStatus.INTERNAL_SERVER_ERROR_500;
        };
    }
}
