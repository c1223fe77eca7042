/**
 * The harness of {@code bin/perf}: it describes the machine, runs a benchmark five times and prints
 * median and spread.
 *
 * <p>Start reading at {@link org.crabro.perf.Perf}, which lists the benchmarks. A new one
 * implements {@link org.crabro.perf.Benchmark}. A check that holds or fails is a {@link
 * org.crabro.perf.Command}. JMH loops and jcstress races are in the package of the code that they
 * test.
 *
 * <p>No other package depends on this one.
 */
@NullMarked
package org.crabro.perf;

import org.jspecify.annotations.NullMarked;
