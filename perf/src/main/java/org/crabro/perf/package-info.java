/**
 * The harness behind {@code bin/perf}: it says what the machine is, runs a benchmark five times and
 * prints median and spread.
 *
 * <p>Start reading at {@link org.crabro.perf.Perf}, which lists the benchmarks; a new one
 * implements {@link org.crabro.perf.Benchmark}. Loops under JMH and races under jcstress lie in the
 * package of what they are about. What holds or does not is a {@link org.crabro.perf.Command}.
 *
 * <p>Nothing depends on this package.
 */
@NullMarked
package org.crabro.perf;

import org.jspecify.annotations.NullMarked;
