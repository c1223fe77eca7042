/**
 * Loops over the cells of stored vectors and over stored numbers, a scalar and a vector twin of
 * each.
 *
 * <p>Start reading at {@link org.crabro.ranking.kernel.Distances}, then {@code RowKernels}, which
 * states how far the twins may differ. Loops of {@code Runs} read by address, as {@code SideBySide}
 * and {@code AllMemory} say. {@code MachineRowKernels} has what the Vector API has no instructions
 * for, {@code MachineLoops} its code. {@code QuantizedQuery} has the bounds that {@link
 * org.crabro.ranking.kernel.QuantizedVectors} give. {@link org.crabro.ranking.kernel.NumberSearch}
 * looks for numbers.
 *
 * <p>This package does not know documents or blocks: it gets memory, a row length and row numbers.
 */
@NullMarked
package org.crabro.ranking.kernel;

import org.jspecify.annotations.NullMarked;
