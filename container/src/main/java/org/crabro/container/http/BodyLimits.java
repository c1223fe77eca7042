package org.crabro.container.http;

import java.time.Duration;

/**
 * The bounds of concurrent request bodies of one kind.
 *
 * @param bodies their count
 * @param bytes their counted bytes; a single body may count for more
 * @param stalled a body that receives less than {@link BodyMemory#PROGRESS_BYTES} in this time
 *     gives way to others
 */
public record BodyLimits(int bodies, long bytes, Duration stalled) {
    /**
     * Returns the bounds of bodies that take a place each and no memory.
     *
     * @param idle a body that receives less than {@link BodyMemory#PROGRESS_BYTES} in this time
     *     gives its place to another
     */
    public static BodyLimits places(int places, Duration idle) {
        return new BodyLimits(places, Long.MAX_VALUE, idle);
    }

    public BodyLimits {
        if (bodies < 1 || bytes < 1 || stalled.isNegative()) {
            throw new IllegalArgumentException(
                    "%d bodies, %d bytes, stalled after %s".formatted(bodies, bytes, stalled));
        }
    }
}
