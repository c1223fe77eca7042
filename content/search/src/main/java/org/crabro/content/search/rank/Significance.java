package org.crabro.content.search.rank;

/** The significance of a term: 1 for the rarest terms, 0.5 for terms in all documents. */
final class Significance {
    private static final double RANGE = 1e6;

    private Significance() {}

    /**
     * Returns the significance of a term.
     *
     * @param documents the number of documents with the term
     * @param total the number of all documents
     */
    static double of(long documents, long total) {
        if (total == 0) {
            return 0.5;
        }
        double share = Math.clamp((double) documents * RANGE / (double) total, 1, RANGE);
        return 0.5 + 0.5 * (Math.log(RANGE) - Math.log(share)) / Math.log(RANGE);
    }
}
