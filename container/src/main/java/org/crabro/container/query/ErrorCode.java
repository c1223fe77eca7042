package org.crabro.container.query;

import java.util.OptionalInt;

/**
 * The errors of a query result, with the numbers of the query API; sorted by blame.
 *
 * <p>The status of a code without one is that of the other errors, and 500 if they have none.
 */
public enum ErrorCode {
    NULL_QUERY(1, "Null query", 400),
    ILLEGAL_QUERY(3, "Illegal query", 400),
    INVALID_PARAMETER(4, "Invalid query parameter", 400),
    FORBIDDEN(15, "Forbidden.", 403),
    BAD_REQUEST(17, "Bad request.", 400),
    UNAUTHORIZED(401, "Unauthorized", 401),
    METHOD_NOT_ALLOWED(405, "Method not allowed", 405),
    REQUEST_TIMEOUT(408, "Request timeout", 408),
    CONTENT_TOO_LARGE(413, "Request too large", 413),
    TOO_MANY_QUERIES(429, "Too many queries", 429),

    NO_BACKENDS(0, "No backends in service. Try later", 503),

    /** A content node returned no answer. */
    SEARCH_REPLY(8, "Error in search reply.", 0),
    /** A content node returned a correct but incomplete answer. */
    SEARCH_WARNING(8, "Error in search reply.", 0),
    BACKEND_COMMUNICATION(10, "Backend communication error", 503),
    TIMED_OUT(12, "Timed out", 504),

    UNSPECIFIED(5, "Unspecified error", 0);

    private final int number;
    private final String summary;
    private final int status;

    ErrorCode(int number, String summary, int status) {
        this.number = number;
        this.summary = summary;
        this.status = status;
    }

    /** Returns the number that clients see. */
    public int number() {
        return number;
    }

    /** Returns a short description of the error. */
    public String summary() {
        return summary;
    }

    /** Returns the HTTP status of an answer with only this error. */
    public OptionalInt status() {
        return status == 0 ? OptionalInt.empty() : OptionalInt.of(status);
    }

    /** Returns whether the status holds even for an answer that has hits. */
    public boolean decidesAlone() {
        return switch (this) {
            case FORBIDDEN,
                    UNAUTHORIZED,
                    BAD_REQUEST,
                    METHOD_NOT_ALLOWED,
                    REQUEST_TIMEOUT,
                    CONTENT_TOO_LARGE,
                    TOO_MANY_QUERIES ->
                    true;
            case NULL_QUERY,
                    ILLEGAL_QUERY,
                    INVALID_PARAMETER,
                    NO_BACKENDS,
                    SEARCH_REPLY,
                    SEARCH_WARNING,
                    BACKEND_COMMUNICATION,
                    TIMED_OUT,
                    UNSPECIFIED ->
                    false;
        };
    }
}
