package org.crabro.content.storage.manifest;

/**
 * An unfinished merge of neighbouring tiers. It proceeds range by range: rows below {@link #next}
 * are already merged, into runs of the youngest of the tiers.
 *
 * @param oldest the oldest tier
 * @param youngest the youngest tier; not below {@code oldest}
 * @param next the first place that is not merged yet; order is unsigned
 */
public record OpenMerge(long oldest, long youngest, long next) {
    public OpenMerge {
        if (oldest > youngest) {
            throw new IllegalArgumentException(
                    "a merge of tiers %d to %d".formatted(oldest, youngest));
        }
    }

    /** Returns whether runs of {@code tier} are merged. */
    public boolean covers(long tier) {
        return tier >= oldest && tier <= youngest;
    }
}
