package org.crabro.content.manifest;

/**
 * A merge of neighbouring tiers that goes on, range by range: what lies below {@link #next} is
 * merged already, into runs of the youngest of the tiers.
 *
 * @param oldest the oldest tier
 * @param youngest the youngest tier; not below {@code oldest}
 * @param next the first place that is to be merged; order is unsigned
 */
public record OpenMerge(long oldest, long youngest, long next) {
    public OpenMerge {
        if (oldest > youngest) {
            throw new IllegalArgumentException(
                    "a merge of tiers %d to %d".formatted(oldest, youngest));
        }
    }

    /** Returns whether runs of {@code tier} take part. */
    public boolean takes(long tier) {
        return tier >= oldest && tier <= youngest;
    }
}
