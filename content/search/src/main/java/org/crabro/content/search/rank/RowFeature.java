package org.crabro.content.search.rank;

/**
 * A feature that is computed document by document, often with several outputs. Immutable and equal
 * by content, so that outputs of the same computation share it.
 */
interface RowFeature {
    /** Returns the number of outputs for each document. */
    int outputCount();

    /** Returns a computation for one thread. */
    Computation computation(DocumentTerms terms);

    /** Computes numbers for documents. For one thread. */
    interface Computation {
        /**
         * Computes the outputs for one document.
         *
         * @param row of the open slice
         * @param outputs receives the numbers
         */
        void compute(int row, double[] outputs);
    }
}
