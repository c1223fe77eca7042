package org.crabro.container.document;

import java.time.Duration;

/**
 * The bounds of the document API of one process.
 *
 * @param maxBodyBytes larger bodies, after decompression, are answered with 413
 * @param timeout of operations that say none
 * @param maxOperations operations under way at once; more are answered with 429
 * @param maxOperationBytes bytes of bodies under way at once, as announced; an operation that is
 *     alone may have more, others are answered with 429
 */
public record DocumentSettings(
        long maxBodyBytes, Duration timeout, int maxOperations, long maxOperationBytes) {
    /** 100 MiB of body, 180 s, 4096 operations, a quarter of the heap. */
    public static final DocumentSettings DEFAULT =
            new DocumentSettings(
                    100L << 20, Duration.ofMinutes(3), 4096, Runtime.getRuntime().maxMemory() / 4);
}
