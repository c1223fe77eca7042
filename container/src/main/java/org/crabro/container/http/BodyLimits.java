package org.crabro.container.http;

import java.time.Duration;

/**
 * The bounds of request bodies of one kind that are received or used at the same time.
 *
 * @param bodies how many
 * @param bytes what they count for together; a body that is alone may count for more
 * @param stalled a body that receives less than {@link BodyMemory#PROGRESS_BYTES} in this time
 *     gives way to others
 */
public record BodyLimits(int bodies, long bytes, Duration stalled) {
    /**
     * Returns the bounds of bodies that take a place each and no memory.
     *
     * @param idle a body that receives as little in this time gives its place to another
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
