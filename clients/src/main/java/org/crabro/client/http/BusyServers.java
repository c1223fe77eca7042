package org.crabro.client.http;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * How a client treats a server that is full for the moment and answers 429 or 503: it waits as the
 * server says, and sends the request again. Such an answer is no failed try; time limits it.
 *
 * @param timeout how long a request is repeated, from its first such answer
 * @param notices gets a sentence when a request begins to wait; called by any thread
 */
public record BusyServers(Duration timeout, Consumer<String> notices) {
    /** Waits for ten minutes, and says nothing. */
    public static final BusyServers DEFAULT = new BusyServers(Duration.ofMinutes(10), _ -> {});

    public BusyServers {
        if (timeout.isNegative()) {
            throw new IllegalArgumentException("a timeout of " + timeout);
        }
    }

    /** Returns the same with another time limit. */
    public BusyServers withTimeout(Duration limit) {
        return new BusyServers(limit, notices);
    }

    /** Returns the same with another receiver of sentences. */
    public BusyServers telling(Consumer<String> receiver) {
        return new BusyServers(timeout, receiver);
    }
}
