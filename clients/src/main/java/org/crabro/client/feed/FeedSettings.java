package org.crabro.client.feed;

import java.time.Duration;
import org.crabro.client.http.BusyServers;

/**
 * The limits of a {@link FeedClient}.
 *
 * @param window the number of unfinished operations; {@link #ADAPTIVE} for one that follows the
 *     throughput
 * @param connections the number of HTTP/2 connections, at least 1
 * @param attempts the number of times that an operation is sent without an answer, at least 1
 * @param timeout of one request
 * @param openAfter the time without any answer after which operations fail without being sent
 * @param busy how long a full server is waited for
 */
public record FeedSettings(
        int window,
        int connections,
        int attempts,
        Duration timeout,
        Duration openAfter,
        BusyServers busy) {
    /**
     * A window that follows the throughput, of at most {@value #LARGEST} operations per connection.
     */
    public static final int ADAPTIVE = 0;

    private static final int FIRST = 32;

    /**
     * The most requests on a connection. Servers permit 512, and a request counts for a moment
     * after its answer.
     */
    public static final int LARGEST = 448;

    /** The settings of a client that is made without any. */
    public static final FeedSettings DEFAULT =
            new FeedSettings(
                    ADAPTIVE,
                    2,
                    10,
                    Duration.ofSeconds(190),
                    Duration.ofMinutes(1),
                    BusyServers.DEFAULT);

    public FeedSettings {
        if (window < 0 || connections < 1 || attempts < 1) {
            throw new IllegalArgumentException(
                    "window %d, connections %d, attempts %d"
                            .formatted(window, connections, attempts));
        }
    }

    /** Returns the same settings with a fixed window, and as many connections as it needs. */
    public FeedSettings withWindow(int operations) {
        int needed = Math.ceilDiv(operations, LARGEST);
        return new FeedSettings(
                operations, Math.max(connections, needed), attempts, timeout, openAfter, busy);
    }

    /** Returns the same settings with another number of connections. */
    public FeedSettings withConnections(int count) {
        return new FeedSettings(window, count, attempts, timeout, openAfter, busy);
    }

    /** Returns the same settings with another number of attempts. */
    public FeedSettings withAttempts(int count) {
        return new FeedSettings(window, connections, count, timeout, openAfter, busy);
    }

    /** Returns the same settings with another time after which operations fail unsent. */
    public FeedSettings withOpenAfter(Duration time) {
        return new FeedSettings(window, connections, attempts, timeout, time, busy);
    }

    /**
     * Returns the settings of a client with a spool: operations are sent again until the server has
     * not answered for as long as a full one is waited for.
     */
    public FeedSettings patient() {
        return new FeedSettings(
                window, connections, Integer.MAX_VALUE, timeout, busy.timeout(), busy);
    }

    /** Returns the same settings with another treatment of full servers. */
    public FeedSettings withBusy(BusyServers servers) {
        return new FeedSettings(window, connections, attempts, timeout, openAfter, servers);
    }

    SendWindow sendWindow() {
        int largest = Math.min(SendWindow.LARGEST_POSSIBLE, connections * LARGEST);
        return window == ADAPTIVE ? SendWindow.adaptive(FIRST, largest) : SendWindow.fixed(window);
    }
}
