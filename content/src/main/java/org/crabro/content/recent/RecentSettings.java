package org.crabro.content.recent;

import java.time.Duration;

/**
 * Bounds of what waits and what lies in memory, and what happens at them.
 *
 * @param recentBytes recent documents above this are flushed, the largest partition first; at twice
 *     as much, writers wait
 * @param journalBytes the journal above this lets the partition be flushed that keeps it longest;
 *     at least two segments
 * @param segmentBytes size of a journal file
 * @param waitingWrites writes in the journal's queue; more are answered with {@code Overloaded}
 * @param waitingBytes bytes in the journal's queue; more are answered with {@code Overloaded}
 * @param rowBytes the largest document; a larger one is rejected
 * @param reservedBytes of the disk that are kept for flushing; with less left, writes are answered
 *     with {@code OutOfSpace}
 * @param flushWait how long a writer waits for flushing to catch up before it is told {@code
 *     Overloaded}
 * @param retryAfter when somebody told {@code Overloaded} may come again
 */
public record RecentSettings(
        long recentBytes,
        long journalBytes,
        int segmentBytes,
        int waitingWrites,
        long waitingBytes,
        int rowBytes,
        long reservedBytes,
        Duration flushWait,
        Duration retryAfter) {
    /** What a node uses unless told otherwise. */
    public static final RecentSettings DEFAULT =
            new RecentSettings(
                    256L << 20,
                    1L << 30,
                    64 << 20,
                    16_384,
                    64L << 20,
                    32 << 20,
                    512L << 20,
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(1));

    public RecentSettings {
        if (recentBytes <= 0 || journalBytes <= 0 || waitingWrites <= 0 || waitingBytes <= 0) {
            throw new IllegalArgumentException(
                    "bounds are %d, %d, %d, %d, each must be above 0"
                            .formatted(recentBytes, journalBytes, waitingWrites, waitingBytes));
        }
        if (journalBytes < 2L * segmentBytes) {
            throw new IllegalArgumentException(
                    "journalBytes is %d, must be at least two segments of %d"
                            .formatted(journalBytes, segmentBytes));
        }
        if (rowBytes <= 0 || rowBytes > segmentBytes / 2) {
            throw new IllegalArgumentException(
                    "rowBytes is %d, must be at most half of the segment's %d"
                            .formatted(rowBytes, segmentBytes));
        }
    }

    /** Returns these settings with another budget for recent documents. */
    public RecentSettings withRecentBytes(long bytes) {
        return new RecentSettings(
                bytes,
                journalBytes,
                segmentBytes,
                waitingWrites,
                waitingBytes,
                rowBytes,
                reservedBytes,
                flushWait,
                retryAfter);
    }

    /** Returns these settings with other bytes kept free on the disk. */
    public RecentSettings withReservedBytes(long bytes) {
        return new RecentSettings(
                recentBytes,
                journalBytes,
                segmentBytes,
                waitingWrites,
                waitingBytes,
                rowBytes,
                bytes,
                flushWait,
                retryAfter);
    }
}
