package org.crabro.protocol.wire;

/**
 * Tells whether a request was cancelled, for example because its client has closed the connection.
 * Stays in its process. Safe for use by many threads.
 */
@FunctionalInterface
public interface CancellationToken {
    /** The token of requests that nothing cancels. */
    CancellationToken NONE = () -> false;

    /** Returns whether the request was cancelled; from then on it always does. */
    boolean isCancelled();
}
