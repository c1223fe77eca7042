package org.crabro.content.storage.store;

import java.time.Duration;

/**
 * What happens to writes when flushes cannot keep up.
 *
 * @param flushWait how long a writer waits for flushes before the reply is {@code Overloaded}
 * @param retryAfter when a sender may try again after {@code Overloaded}
 */
public record OverloadSettings(Duration flushWait, Duration retryAfter) {
    /** The default. */
    public static final OverloadSettings DEFAULT =
            new OverloadSettings(Duration.ofSeconds(5), Duration.ofSeconds(1));
}
