package org.crabro.client.bench;

import java.time.Duration;
import java.util.OptionalDouble;

/**
 * How much load a run makes.
 *
 * @param clients the number of requests that can be in flight, at least 1
 * @param rate requests in a second, over all clients, in an open loop; empty for a closed loop
 * @param cycle in a closed loop, the least time between two starts of one client; zero for none
 * @param warmUp requests that begin in this time are not counted; not part of {@code time}
 * @param ignored the number of first requests of each client that are not counted
 * @param time how long requests are counted; the run ends when the last of them is answered
 */
public record LoadSettings(
        int clients,
        OptionalDouble rate,
        Duration cycle,
        Duration warmUp,
        int ignored,
        Duration time) {
    /** The most clients of a run. */
    public static final int CLIENTS_MAX = 10_000;

    /** The most requests in a second of an open loop. */
    public static final double RATE_MAX = 1e6;

    public LoadSettings {
        if (clients < 1 || clients > CLIENTS_MAX) {
            throw new IllegalArgumentException(
                    "the number of clients must be from 1 to %d, not %d"
                            .formatted(CLIENTS_MAX, clients));
        }
        if (rate.isPresent() && !(rate.getAsDouble() > 0 && rate.getAsDouble() <= RATE_MAX)) {
            throw new IllegalArgumentException(
                    "the rate must be above 0 and at most %.0f, not %s"
                            .formatted(RATE_MAX, rate.getAsDouble()));
        }
        if (ignored < 0 || cycle.isNegative() || warmUp.isNegative()) {
            throw new IllegalArgumentException("times and numbers must not be negative");
        }
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException("the time must be above 0");
        }
    }
}
