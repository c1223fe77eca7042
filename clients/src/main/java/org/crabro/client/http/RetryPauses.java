package org.crabro.client.http;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The pauses before a request is sent again. They double, and half of each is random, so that
 * clients that failed together do not come back together.
 *
 * @param first at least 2 ms
 * @param longest at least {@code first}
 */
public record RetryPauses(Duration first, Duration longest) {
    /** The default: from 50 ms to 10 s. */
    public static final RetryPauses DEFAULT =
            new RetryPauses(Duration.ofMillis(50), Duration.ofSeconds(10));

    private static final int DOUBLINGS_MAX = 20;

    /**
     * Returns the pause after a failure.
     *
     * @param failures in a row, at least 1
     */
    public Duration after(int failures) {
        long most =
                Math.min(
                        first.toMillis() << Math.min(failures - 1, DOUBLINGS_MAX),
                        longest.toMillis());
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(most / 2, most + 1));
    }
}
