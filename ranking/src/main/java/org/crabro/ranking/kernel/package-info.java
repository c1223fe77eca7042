/**
 * Loops over the cells of stored vectors and over stored numbers. Each has a scalar and a
 * vectorized version.
 *
 * <p>Start reading at {@link org.crabro.ranking.kernel.Distances}, then {@code RowKernels}, which
 * states how far the results of the versions may differ. Loops over {@code Runs} read by address,
 * as {@code SideBySide} and {@code AllMemory} describe. {@code MachineRowKernels} has operations
 * that the Vector API has no instructions for; {@code MachineLoops} has its code. {@link
 * org.crabro.ranking.kernel.QuantizedVectors} yield bounds of distances, which {@code
 * QuantizedQuery} computes. {@link org.crabro.ranking.kernel.NumberSearch} searches for numbers.
 *
 * <p>The package does not depend on documents or blocks: it gets memory, a row length and row
 * numbers.
 */
@NullMarked
package org.crabro.ranking.kernel;

import org.jspecify.annotations.NullMarked;
