package org.crabro.ranking.kernel;

import java.lang.foreign.MemorySegment;

/**
 * Finds the numbers in a range among contiguous stored ones: unsigned, little-endian, of 1, 2 or 4
 * bytes each. Both implementations return the same. Thread-safe.
 */
public sealed interface NumberSearch permits ScalarNumberSearch, VectorNumberSearch {
    /**
     * Returns the vector implementation if the JVM has the Vector API and the machine has wide
     * enough vectors, else the scalar one. Without the module, no class of the vector
     * implementation is loaded.
     */
    static NumberSearch best() {
        boolean isPresent = ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();
        return isPresent && VectorRowKernels.isWorthwhile()
                ? new VectorNumberSearch()
                : new ScalarNumberSearch();
    }

    /**
     * Writes the indices of the numbers of a run that are in a range.
     *
     * @param numbers the first of all numbers, at offset 0
     * @param width the bytes of a number: 1, 2 or 4
     * @param from the index of the first number of the run
     * @param to the index after the last
     * @param low the least number of the range, not negative
     * @param high the greatest, not less; no number of 4 bytes above 2^31 - 1 is in a range
     * @param into receives the indices in ascending order; as long as the run
     * @return the number of indices
     */
    int find(MemorySegment numbers, int width, int from, int to, int low, int high, int[] into);
}
