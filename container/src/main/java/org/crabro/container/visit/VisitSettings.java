package org.crabro.container.visit;

/**
 * The bounds of visits of one process.
 *
 * @param maxRanges partitions that all visits read concurrently; a visit that would exceed it gets
 *     status 429
 * @param maxRangesOfClient the same for the visits of one client; a single visit reads at most this
 *     many
 * @param pageDocuments documents of a page at most
 * @param pageBytes a page is closed at this size; a visit holds one page for each partition that it
 *     reads concurrently, and one that is being written; an answer that is not a stream holds back
 *     as much
 */
public record VisitSettings(
        int maxRanges, int maxRangesOfClient, int pageDocuments, int pageBytes) {
    private static final int PAGE_BYTES = 1 << 20;

    public VisitSettings {
        if (maxRangesOfClient < 1 || maxRangesOfClient > maxRanges) {
            throw new IllegalArgumentException(
                    "maxRangesOfClient is %d; must be at least 1 and at most maxRanges, %d"
                            .formatted(maxRangesOfClient, maxRanges));
        }
        if (maxRanges < 1 || pageDocuments < 1 || pageBytes < 1) {
            throw new IllegalArgumentException(
                    "maxRanges is %d, pageDocuments %d, pageBytes %d; each must be at least 1"
                            .formatted(maxRanges, pageDocuments, pageBytes));
        }
    }

    /**
     * Pages of 4096 documents or 1 MiB; an eighth of the heap for pages, half of that for a client.
     */
    public static final VisitSettings DEFAULT =
            new VisitSettings(
                    Math.clamp(Runtime.getRuntime().maxMemory() / 8 / (2 * PAGE_BYTES), 8, 256),
                    Math.clamp(Runtime.getRuntime().maxMemory() / 8 / (4 * PAGE_BYTES), 4, 128),
                    4096,
                    PAGE_BYTES);
}
