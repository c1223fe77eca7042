package org.crabro.container.bulk;

import java.time.Duration;

/**
 * The bounds of bulk requests of one process.
 *
 * @param maxStreams concurrent requests; further ones get status 429
 * @param threads threads that read lines
 * @param timeout of a write in requests that name none
 */
public record BulkSettings(
        int maxStreams, Input input, Batches batches, int threads, Duration timeout) {
    private static final int PIECE_BYTES = 256 << 10;
    private static final int WINDOW = 16;
    private static final int MAX_LINE_BYTES = 64 << 20;

    /** The journal writes this many bytes as one, so that writes of one document stay together. */
    private static final long BATCH_BYTES = 1 << 20;

    private static final int BATCH_WRITES = 4_096;

    /** Batches are prepared, written, applied and answered at the same time; each may wait. */
    private static final int BATCHES_AT_ONCE = 8;

    /**
     * The bounds of bodies.
     *
     * @param pieceBytes bytes of a body that are read at a time
     * @param window pieces of one request that are read and not answered; the client waits then
     * @param maxLineBytes a longer line is rejected; the lines around it are not
     * @param longLineBytes bound of the sum of all lines that are longer than a piece, and of
     *     tensor cells that lines leave out; a line beyond it is rejected
     */
    public record Input(int pieceBytes, int window, int maxLineBytes, long longLineBytes) {
        public Input {
            if (pieceBytes < 1 || window < 1 || maxLineBytes < pieceBytes) {
                throw new IllegalArgumentException(
                        "pieceBytes is %d, window %d, maxLineBytes %d; the first two must be at least 1, and maxLineBytes at least pieceBytes"
                                .formatted(pieceBytes, window, maxLineBytes));
            }
        }
    }

    /**
     * The bounds of batches: the writes that are carried out together.
     *
     * @param batchWrites writes of a batch at most
     * @param batchBytes bytes of their rows at most; a single row may be larger
     * @param batchesAtOnce batches of one request that are carried out or wait for their answer
     */
    public record Batches(int batchWrites, long batchBytes, int batchesAtOnce) {
        public Batches {
            if (batchWrites < 1 || batchBytes < 1 || batchesAtOnce < 1) {
                throw new IllegalArgumentException(
                        "batchWrites is %d, batchBytes %d, batchesAtOnce %d; each must be at least 1"
                                .formatted(batchWrites, batchBytes, batchesAtOnce));
            }
        }
    }

    public BulkSettings {
        if (maxStreams < 1 || threads < 1) {
            throw new IllegalArgumentException(
                    "maxStreams is %d, threads %d; each must be at least 1"
                            .formatted(maxStreams, threads));
        }
    }

    /**
     * Returns the defaults for a heap of this size: an eighth of it for requests, and an eighth for
     * long lines.
     */
    public static BulkSettings of(long heapBytes) {
        // A piece is in memory as bytes and as values.
        long ofStream = 3L * WINDOW * PIECE_BYTES;
        return new BulkSettings(
                Math.clamp(heapBytes / 8 / ofStream, 2, 256),
                new Input(
                        PIECE_BYTES,
                        WINDOW,
                        Math.clamp(heapBytes / 16, PIECE_BYTES, MAX_LINE_BYTES),
                        heapBytes / 8),
                new Batches(BATCH_WRITES, BATCH_BYTES, BATCHES_AT_ONCE),
                Runtime.getRuntime().availableProcessors(),
                Duration.ofMinutes(3));
    }

    /** Returns about how many bytes of one request are read and not answered. */
    int windowBytes() {
        return input.window() * input.pieceBytes();
    }

    /** Returns these settings with another timeout of writes. */
    BulkSettings withTimeout(Duration other) {
        return new BulkSettings(maxStreams, input, batches, threads, other);
    }
}
