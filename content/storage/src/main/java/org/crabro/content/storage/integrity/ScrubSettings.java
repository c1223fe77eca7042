package org.crabro.content.storage.integrity;

import java.time.Duration;

/**
 * How stored bytes are checked in the background.
 *
 * @param bytesPerSecond the maximum read rate; 0 for no checks
 * @param interval from the start of a full pass to the start of the next; after a pass that takes
 *     longer, the next starts at once
 */
public record ScrubSettings(long bytesPerSecond, Duration interval) {
    /** One terabyte in a day and a half, once a week: a small part of the rate of a disk. */
    public static final ScrubSettings DEFAULT = new ScrubSettings(8 << 20, Duration.ofDays(7));

    /** No background checks. */
    public static final ScrubSettings NONE = new ScrubSettings(0, Duration.ofDays(7));

    public ScrubSettings {
        if (bytesPerSecond < 0 || interval.isNegative()) {
            throw new IllegalArgumentException(
                    "%d bytes per second, every %s".formatted(bytesPerSecond, interval));
        }
    }
}
