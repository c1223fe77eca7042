/**
 * The scoreboard: all workloads of {@code bin/perf} without a name, and the page and the plots of
 * their figures.
 *
 * <p>Start reading at {@link org.crabro.perf.scoreboard.Scoreboard}.
 */
@NullMarked
package org.crabro.perf.scoreboard;

import org.jspecify.annotations.NullMarked;
