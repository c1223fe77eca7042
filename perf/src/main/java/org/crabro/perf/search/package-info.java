/**
 * Benchmarks of queries and visits: by words, vectors, groups and ranking, in memory and from disk,
 * alone and under load.
 */
@NullMarked
package org.crabro.perf.search;

import org.jspecify.annotations.NullMarked;
