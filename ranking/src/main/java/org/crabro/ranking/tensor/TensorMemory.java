package org.crabro.ranking.tensor;

import java.util.function.IntConsumer;
import org.crabro.document.memory.MemoryShare;

/**
 * A consumer of work that also counts the memory of tensors. Operations report a tensor before they
 * allocate it. Both reports may throw, which ends the operation.
 */
public interface TensorMemory extends IntConsumer {
    /** Adds bytes of a tensor that is made next. */
    void allocate(long bytes);

    /**
     * Reports a tensor with labels, and returns its number of cells. If {@code work} does not count
     * memory, the request is charged until its end.
     *
     * @param subspaces their number
     * @param labels of a subspace
     * @param size cells of a subspace
     * @throws TensorLimitException if it has too many cells
     */
    static int cells(IntConsumer work, long subspaces, int labels, long size) {
        int cells = TensorLimitException.cells(subspaces, size);
        long bytes = bytes(subspaces, labels, cells);
        if (work instanceof TensorMemory memory) {
            memory.allocate(bytes);
        } else {
            MemoryShare.current().chargeNow(bytes);
        }
        return cells;
    }

    /** Returns the bytes of a tensor whose labels exist already. */
    static long bytes(long subspaces, int labels, long cells) {
        // An array of references to labels, and its place in arrays of subspaces.
        long ofLabels = labels == 0 ? 0 : subspaces * (48 + 8L * labels);
        return ofLabels + Double.BYTES * cells;
    }
}
