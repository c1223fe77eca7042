package org.crabro.container.admin;

import java.time.Duration;

/**
 * The bounds of uploads and of sessions that wait for activation. Beyond a bound, a new session is
 * rejected with the name of the bound.
 *
 * @param count of sessions
 * @param bytes of all of their files; an upload may exceed this until it is rejected
 * @param life the time after which a session that was not activated expires
 * @param uploads concurrent uploads of packages and files; further ones get status 429; 0 forbids
 *     deployments
 */
public record SessionLimits(int count, long bytes, Duration life, int uploads) {
    public SessionLimits {
        if (count < 1 || bytes < 1 || uploads < 0 || !life.isPositive()) {
            throw new IllegalArgumentException(
                    "count is %d, bytes %d, life %s, uploads %d; only uploads may be 0"
                            .formatted(count, bytes, life, uploads));
        }
    }

    /** Enough for concurrent sessions, and for two of the largest packages. */
    public static final SessionLimits DEFAULT =
            new SessionLimits(50, 16L << 30, Duration.ofHours(1), 8);
}
