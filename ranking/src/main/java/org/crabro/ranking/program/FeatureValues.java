package org.crabro.ranking.program;

import org.crabro.ranking.tensor.CellBuffer;
import org.crabro.ranking.tensor.TensorData;

/** Supplies a program with the values of its features for the current batch of documents. */
public interface FeatureValues {
    /**
     * Writes the values of one feature.
     *
     * @param slot index of the feature in {@link RankProgram#features()}
     * @param into receives one value per document of the batch, from index 0 on
     * @param count how many documents the batch has
     */
    void read(int slot, double[] into, int count);

    /**
     * Returns the tensor that one feature is.
     *
     * @param slot index of the feature in {@link RankProgram#features()}
     * @param row which document of the batch
     * @throws IllegalStateException if no feature is a tensor
     */
    default TensorData tensor(int slot, int row) {
        throw new IllegalStateException("the feature of slot " + slot + " is no tensor");
    }

    /** Writes the cells of the tensor of one feature, as {@link #tensor} returns them. */
    default void cells(int slot, int row, CellBuffer into) {
        into.hold(tensor(slot, row));
    }
}
