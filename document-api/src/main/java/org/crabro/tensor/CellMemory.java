package org.crabro.tensor;

import org.crabro.document.memory.MemoryShare;

/** Allocates the cells of tensors, and charges the current request for many. */
final class CellMemory {
    /** So many cells are not charged. */
    private static final int UNCHARGED = 2_048;

    private CellMemory() {}

    /**
     * Returns cells that are 0.
     *
     * @throws org.crabro.document.memory.MemoryRefusedException if there is no memory for them
     */
    static double[] cells(int count) {
        if (count > UNCHARGED) {
            MemoryShare.current().charge((long) Double.BYTES * count);
        }
        return new double[count];
    }
}
