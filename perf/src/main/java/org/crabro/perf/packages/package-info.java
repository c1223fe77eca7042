/**
 * Generated application packages that are expensive to compile, and the benchmark that compiles
 * them.
 */
@NullMarked
package org.crabro.perf.packages;

import org.jspecify.annotations.NullMarked;
