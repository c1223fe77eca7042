package org.crabro.container.document;

import java.time.Duration;
import org.crabro.config.services.ContainerCluster.DocumentApi;

/**
 * The bounds of the document API of one process.
 *
 * @param maxBodyBytes a larger body, after decompression, gets status 413
 * @param timeout of operations that name none
 * @param ignoresUndefinedFields whether fields that a type does not have are skipped
 * @param maxOperations concurrent operations; further ones get status 429
 * @param maxOperationBytes counted heap of concurrent bodies; beyond it, operations get status 429,
 *     except a single one
 */
public record DocumentSettings(
        long maxBodyBytes,
        Duration timeout,
        boolean ignoresUndefinedFields,
        int maxOperations,
        long maxOperationBytes) {
    /**
     * A body is in memory as characters, as a string and as the bytes of a row, at the same time.
     */
    private static final int HEAP_PART = 8;

    public DocumentSettings {
        if (maxBodyBytes < 1 || maxOperations < 1 || maxOperationBytes < 1) {
            throw new IllegalArgumentException(
                    "maxBodyBytes is %d, maxOperations %d, maxOperationBytes %d; each must be at least 1"
                            .formatted(maxBodyBytes, maxOperations, maxOperationBytes));
        }
        if (!timeout.isPositive()) {
            throw new IllegalArgumentException("timeout is %s, must be above 0".formatted(timeout));
        }
    }

    /** Returns these settings with those of a package; the bounds of the process still apply. */
    public DocumentSettings of(DocumentApi api) {
        return new DocumentSettings(
                api.maxBytes().isPresent()
                        ? Math.min(api.maxBytes().getAsLong(), mostBodyBytes())
                        : maxBodyBytes,
                api.timeout().orElse(timeout),
                api.ignoresUndefinedFields(),
                maxOperations,
                maxOperationBytes);
    }

    private static long mostBodyBytes() {
        return Runtime.getRuntime().maxMemory() / HEAP_PART;
    }

    /** 100 MiB of body or an eighth of the heap, 180 s, 4096 operations, a quarter of the heap. */
    public static final DocumentSettings DEFAULT =
            new DocumentSettings(
                    Math.min(DocumentApi.MAX_BYTES, mostBodyBytes()),
                    Duration.ofMinutes(3),
                    false,
                    4096,
                    Runtime.getRuntime().maxMemory() / 4);
}
