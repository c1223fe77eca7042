package org.crabro.container.visit;

/**
 * The bounds of visits of one process.
 *
 * @param maxRanges partitions that all visits together read at once; a visit that would exceed it
 *     is answered with 429
 * @param maxRangesOfClient the same for the visits of one client; a single visit reads fewer
 *     partitions at once
 * @param pageDocuments documents of a page at most
 * @param pageBytes from which size on a page is closed; of each partition that it reads at once a
 *     visit holds a page, and one more that is being written; an answer that is no stream holds as
 *     much back
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

    /** Pages of 4096 documents or 1 MiB, and of those an eighth of the heap, half for a client. */
    public static final VisitSettings DEFAULT =
            new VisitSettings(
                    Math.clamp(Runtime.getRuntime().maxMemory() / 8 / (2 * PAGE_BYTES), 8, 256),
                    Math.clamp(Runtime.getRuntime().maxMemory() / 8 / (4 * PAGE_BYTES), 4, 128),
                    4096,
                    PAGE_BYTES);
}
