package org.crabro.content.rank;

/**
 * What is computed document by document, often several numbers at once. Immutable and equal by
 * content, so that features which are outputs of one computation share it.
 */
interface RowFeature {
    /** Returns how many numbers are computed for each document. */
    int outputCount();

    /** Returns what computes them for one thread. */
    Computation computation(DocumentTerms terms);

    /** Computes numbers for documents. For one thread. */
    interface Computation {
        /**
         * Computes the numbers of one document.
         *
         * @param row of the open slice
         * @param outputs receives them
         */
        void compute(int row, double[] outputs);
    }
}
