package org.crabro.protocol.wire;

/**
 * Whether a request was cancelled, for example because its client has closed the connection. It is
 * not sent to other processes. Safe for use by many threads.
 */
@FunctionalInterface
public interface CancellationToken {
    /** The token of requests that cannot be cancelled. */
    CancellationToken NONE = () -> false;

    /** Returns whether the request was cancelled. Once true, it stays true. */
    boolean isCancelled();
}
