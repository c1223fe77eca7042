/**
 * The harness of {@code bin/perf}: it runs a {@link org.crabro.perf.harness.Benchmark} in rounds,
 * compares it with another commit, and describes the machine. A check that holds or fails is a
 * {@link org.crabro.perf.harness.Command}.
 *
 * <p>The package also gives benchmarks access to the machine: threads, processes, the page cache
 * and processor time. It does not depend on any benchmark.
 */
@NullMarked
package org.crabro.perf.harness;

import org.jspecify.annotations.NullMarked;
