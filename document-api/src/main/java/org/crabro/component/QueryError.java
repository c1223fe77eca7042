package org.crabro.component;

/**
 * Something that went wrong while a query was answered.
 *
 * @param message for the client
 */
public record QueryError(Kind kind, String message) {
    /** Who is to blame, and so the status of an answer that is nothing but this error. */
    public enum Kind {
        /** The query cannot be answered as it is: 400. */
        INVALID_QUERY,
        /** The sender may not ask this: 403. */
        FORBIDDEN,
        /** Too much is asked at once: 429. */
        OVERLOADED,
        /** What the answer needs is not there now: 503. */
        UNAVAILABLE,
        /** Time ran out: 504. */
        TIMED_OUT,
        /** Something is broken: 500. */
        FAILED,
        /** Something was left out of an answer that is right otherwise. */
        WARNING
    }
}
