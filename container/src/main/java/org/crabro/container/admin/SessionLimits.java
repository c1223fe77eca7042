package org.crabro.container.admin;

import java.time.Duration;

/**
 * How much may come in and wait to be activated; new sessions are refused beyond, with the limit
 * named.
 *
 * @param count how many sessions there may be
 * @param bytes how many bytes their files may have together; a package that comes in may exceed
 *     this until it is refused
 * @param life how long a session is kept that nobody activates
 * @param uploads how many packages and files may be received at once; more are answered with 429; 0
 *     forbids deployments
 */
public record SessionLimits(int count, long bytes, Duration life, int uploads) {
    public SessionLimits {
        if (count < 1 || bytes < 1 || uploads < 0 || !life.isPositive()) {
            throw new IllegalArgumentException(
                    "count is %d, bytes %d, life %s, uploads %d; only uploads may be 0"
                            .formatted(count, bytes, life, uploads));
        }
    }

    /** Room for everybody who prepares at the same time, and for two of the largest packages. */
    public static final SessionLimits DEFAULT =
            new SessionLimits(50, 16L << 30, Duration.ofHours(1), 8);
}
