package org.crabro.container.document;

import java.time.Duration;
import org.crabro.config.services.ContainerCluster.DocumentApi;

/**
 * The bounds of the document API of one process.
 *
 * @param maxBodyBytes larger bodies, after decompression, are answered with 413
 * @param timeout of operations that say none
 * @param ignoresUndefinedFields whether fields that a type does not have are left out
 * @param maxOperations operations under way at once; more are answered with 429
 * @param maxOperationBytes bytes of bodies under way at once, as announced; an operation that is
 *     alone may have more, others are answered with 429
 */
public record DocumentSettings(
        long maxBodyBytes,
        Duration timeout,
        boolean ignoresUndefinedFields,
        int maxOperations,
        long maxOperationBytes) {
    /** Returns these settings with what a package says; no more is taken than the process can. */
    public DocumentSettings of(DocumentApi api) {
        return new DocumentSettings(
                Math.min(maxBodyBytes, api.maxBytes().orElse(maxBodyBytes)),
                api.timeout().orElse(timeout),
                api.ignoresUndefinedFields(),
                maxOperations,
                maxOperationBytes);
    }

    /** 100 MiB of body, 180 s, 4096 operations, a quarter of the heap. */
    public static final DocumentSettings DEFAULT =
            new DocumentSettings(
                    DocumentApi.MAX_BYTES,
                    Duration.ofMinutes(3),
                    false,
                    4096,
                    Runtime.getRuntime().maxMemory() / 4);
}
