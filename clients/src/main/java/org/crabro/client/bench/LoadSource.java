package org.crabro.client.bench;

import java.util.Optional;

/** Sends requests of one kind. Safe for use by many threads, one for each client. */
public interface LoadSource extends AutoCloseable {
    /**
     * Sends the next request of a client and waits for its answer. Failures are answers.
     *
     * @param client from 0
     * @return empty if the client has no more requests
     */
    Optional<LoadAnswer> send(int client) throws InterruptedException;

    /** Returns what {@link LoadAnswer#items} counts, such as {@code hits}. */
    String items();

    @Override
    void close();
}
