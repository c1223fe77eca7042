package org.crabro.content.storage.commit;

import java.time.Duration;

/**
 * Limits of the journal.
 *
 * @param bytes above this size, the partition with the oldest record is flushed; at least two
 *     segments
 * @param segmentBytes size of a file
 * @param spareSegments released files that are kept for reuse; more are deleted
 * @param spareAge files that were released longer ago are deleted, because they still contain
 *     removed documents. A file that was begun longer ago is not continued once all its records are
 *     released
 * @param waitingWrites writes in the queue; more are answered with {@code Overloaded}
 * @param waitingBytes bytes in the queue; more are answered with {@code Overloaded}
 */
public record JournalSettings(
        long bytes,
        int segmentBytes,
        int spareSegments,
        Duration spareAge,
        int waitingWrites,
        long waitingBytes) {
    /** The default settings of a node. */
    public static final JournalSettings DEFAULT =
            new JournalSettings(1L << 30, 64 << 20, 4, Duration.ofHours(24), 16_384, 64L << 20);

    public JournalSettings {
        if (waitingWrites <= 0 || waitingBytes <= 0 || spareSegments < 0) {
            throw new IllegalArgumentException(
                    "waitingWrites is %d, waitingBytes %d, spareSegments %d"
                            .formatted(waitingWrites, waitingBytes, spareSegments));
        }
        if (!spareAge.isPositive()) {
            throw new IllegalArgumentException("spareAge is %s".formatted(spareAge));
        }
        if (bytes < 2L * segmentBytes) {
            throw new IllegalArgumentException(
                    "bytes is %d, must be at least two segments of %d"
                            .formatted(bytes, segmentBytes));
        }
    }
}
