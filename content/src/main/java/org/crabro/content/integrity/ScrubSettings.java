package org.crabro.content.integrity;

import java.time.Duration;

/**
 * How stored bytes are checked in the background.
 *
 * @param bytesPerSecond the most that is read of the device; 0 for no checks
 * @param interval from the start of a pass over everything to the start of the next; a pass that
 *     takes longer is followed by the next at once
 */
public record ScrubSettings(long bytesPerSecond, Duration interval) {
    /** A terabyte in a day and a half, once a week: little beside what a disk can do. */
    public static final ScrubSettings DEFAULT = new ScrubSettings(8 << 20, Duration.ofDays(7));

    /** Nothing is checked in the background. */
    public static final ScrubSettings NONE = new ScrubSettings(0, Duration.ofDays(7));

    public ScrubSettings {
        if (bytesPerSecond < 0 || interval.isNegative()) {
            throw new IllegalArgumentException(
                    "%d bytes per second, every %s".formatted(bytesPerSecond, interval));
        }
    }
}
