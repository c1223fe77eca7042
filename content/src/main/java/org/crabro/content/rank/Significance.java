package org.crabro.content.rank;

/** How much it says that a document has a term: 1 for the rarest, 0.5 for those in all. */
final class Significance {
    private static final double RANGE = 1e6;

    private Significance() {}

    /**
     * Returns the significance of a term.
     *
     * @param documents in how many it is
     * @param total of how many
     */
    static double of(long documents, long total) {
        if (total == 0) {
            return 0.5;
        }
        double share = Math.clamp((double) documents * RANGE / (double) total, 1, RANGE);
        return 0.5 + 0.5 * (Math.log(RANGE) - Math.log(share)) / Math.log(RANGE);
    }
}
