package org.crabro.component;

/**
 * An error or a warning during a query.
 *
 * @param message for the client
 */
public record QueryError(Kind kind, String message) {
    /** The kind of the error, which determines the status of an answer without hits. */
    public enum Kind {
        /** The query is not valid: 400. */
        INVALID_QUERY,
        /** The sender does not have the permission: 403. */
        FORBIDDEN,
        /** Too many requests at once: 429. */
        OVERLOADED,
        /** A required part is not available: 503. */
        UNAVAILABLE,
        /** Time ran out: 504. */
        TIMED_OUT,
        /** A failure of the server: 500. */
        FAILED,
        /** A part of the result is missing; the rest is correct. */
        WARNING
    }
}
