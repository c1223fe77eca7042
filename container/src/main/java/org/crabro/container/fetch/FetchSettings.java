package org.crabro.container.fetch;

import java.time.Duration;

/**
 * The settings of files that packages name by URI.
 *
 * @param fileBytes a larger file is rejected
 * @param timeout the time for one file, from the request to the last byte
 * @param keptBytes the size of all kept files; the least recently used are deleted
 */
public record FetchSettings(long fileBytes, Duration timeout, long keptBytes) {
    /** The settings of a server that sets none. */
    public static final FetchSettings DEFAULT =
            new FetchSettings(4L << 30, Duration.ofMinutes(2), 16L << 30);

    public FetchSettings {
        if (fileBytes < 1 || keptBytes < fileBytes || timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException(
                    "fileBytes is %d, must be at least 1; keptBytes is %d, must be at least fileBytes; timeout is %s, must be positive"
                            .formatted(fileBytes, keptBytes, timeout));
        }
    }
}
