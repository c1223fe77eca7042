package org.crabro.container.query;

import java.util.OptionalInt;

/**
 * What can be wrong with an answer, by the numbers that clients know; sorted by who is to blame.
 *
 * <p>A code without a status leaves it to the other errors, and to 500 where they say nothing.
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

    /** A node could not answer. */
    SEARCH_REPLY(8, "Error in search reply.", 0),
    /** A node left something out of an answer that is right otherwise. */
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

    /** Returns what the number stands for, in words. */
    public String summary() {
        return summary;
    }

    /** Returns the HTTP status of an answer that is nothing but this error. */
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
