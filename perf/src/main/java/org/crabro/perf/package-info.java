/**
 * The program of {@code bin/perf}: {@link org.crabro.perf.Perf} lists all benchmarks and commands,
 * and runs one by name.
 *
 * <p>The benchmarks are in the packages below this one, by theme. JMH loops and jcstress races are
 * in the package of the code that they test.
 *
 * <p>No other package depends on this one.
 */
@NullMarked
package org.crabro.perf;

import org.jspecify.annotations.NullMarked;
