package org.crabro.component;

/**
 * Something that went wrong while a query was answered.
 *
 * @param message for the client
 */
public record QueryError(Kind kind, String message) {
    /** The party to blame, which decides the status of an answer without hits. */
    public enum Kind {
        /** The query cannot be answered as it is: 400. */
        INVALID_QUERY,
        /** The sender may not ask this: 403. */
        FORBIDDEN,
        /** Too many requests at once: 429. */
        OVERLOADED,
        /** A part that the answer needs is not available now: 503. */
        UNAVAILABLE,
        /** Time ran out: 504. */
        TIMED_OUT,
        /** Something is broken: 500. */
        FAILED,
        /** Something was left out of an answer that is right otherwise. */
        WARNING
    }
}
