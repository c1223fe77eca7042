package org.crabro.container.bulk;

import java.time.Duration;

/**
 * The bounds of bulk requests of one process.
 *
 * @param maxStreams requests under way at once; more are answered with 429
 * @param pieceBytes how much of a body is read at a time
 * @param window pieces of one request that are read and not answered yet; the client waits then
 * @param maxLineBytes longer lines are refused, each alone
 * @param longLineBytes what all lines longer than a piece may take together, and cells of tensors
 *     that lines leave out; a line that finds no room is refused, alone
 * @param batchWrites the most writes that are carried out together
 * @param batchBytes the most bytes of their rows, unless one alone has more
 * @param batchesAtOnce of one request, how many are carried out or wait to be answered
 * @param threads threads that read lines
 * @param timeout how long a write may take where the request does not say
 */
public record BulkSettings(
        int maxStreams,
        int pieceBytes,
        int window,
        int maxLineBytes,
        long longLineBytes,
        int batchWrites,
        long batchBytes,
        int batchesAtOnce,
        int threads,
        Duration timeout) {
    private static final int PIECE_BYTES = 256 << 10;
    private static final int WINDOW = 16;
    private static final int MAX_LINE_BYTES = 64 << 20;

    /** What a journal takes as one, so that writes of one document never part. */
    private static final long BATCH_BYTES = 1 << 20;

    private static final int BATCH_WRITES = 4_096;

    /** Some are prepared, written, applied and answered at a time, and each may have to wait. */
    private static final int BATCHES_AT_ONCE = 8;

    public BulkSettings {
        if (maxStreams < 1
                || pieceBytes < 1
                || window < 1
                || maxLineBytes < pieceBytes
                || batchWrites < 1
                || batchBytes < 1
                || batchesAtOnce < 1
                || threads < 1) {
            throw new IllegalArgumentException(
                    "%d streams, pieces of %d bytes, %d of them, lines of %d, batches of %d and %d"
                                    .formatted(
                                            maxStreams,
                                            pieceBytes,
                                            window,
                                            maxLineBytes,
                                            batchWrites,
                                            batchBytes)
                            + " bytes, "
                            + batchesAtOnce
                            + " at once, "
                            + threads
                            + " threads");
        }
    }

    /**
     * Returns what a process uses with this much heap: of that, an eighth is for requests and an
     * eighth for long lines.
     */
    public static BulkSettings of(long heapBytes) {
        // A piece is there as bytes, and as what was read of it.
        long ofStream = 3L * WINDOW * PIECE_BYTES;
        return new BulkSettings(
                Math.clamp(heapBytes / 8 / ofStream, 2, 256),
                PIECE_BYTES,
                WINDOW,
                Math.clamp(heapBytes / 16, PIECE_BYTES, MAX_LINE_BYTES),
                heapBytes / 8,
                BATCH_WRITES,
                BATCH_BYTES,
                BATCHES_AT_ONCE,
                Runtime.getRuntime().availableProcessors(),
                Duration.ofMinutes(3));
    }

    /** Returns how many bytes of one request are read and not answered yet, about. */
    int windowBytes() {
        return window * pieceBytes;
    }

    /** Returns these settings with another time for writes. */
    BulkSettings withTimeout(Duration other) {
        return new BulkSettings(
                maxStreams,
                pieceBytes,
                window,
                maxLineBytes,
                longLineBytes,
                batchWrites,
                batchBytes,
                batchesAtOnce,
                threads,
                other);
    }
}
