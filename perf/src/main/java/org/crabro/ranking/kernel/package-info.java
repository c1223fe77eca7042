/** Benchmarks of the loops over stored vectors. */
@NullMarked
package org.crabro.ranking.kernel;

import org.jspecify.annotations.NullMarked;
