/**
 * Benchmarks of writes: feeding, bulk feeding, single puts, flushes, merges, bytes on disk and
 * replay.
 */
@NullMarked
package org.crabro.perf.feed;

import org.jspecify.annotations.NullMarked;
