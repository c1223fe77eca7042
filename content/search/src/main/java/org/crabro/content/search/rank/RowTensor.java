package org.crabro.content.search.rank;

import org.crabro.ranking.tensor.TensorData;

/** A tensor that is computed document by document. Immutable and equal by content. */
interface RowTensor {
    /** Returns a computation for one thread. */
    Computation computation(DocumentTerms terms);

    /** Computes tensors for documents. For one thread. */
    interface Computation {
        /**
         * Returns the tensor of one document.
         *
         * @param row of the open slice
         */
        TensorData compute(int row);
    }
}
