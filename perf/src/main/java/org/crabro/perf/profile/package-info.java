/**
 * Flame graphs of recordings of the JDK Flight Recorder, for {@code bin/profile}.
 *
 * <p>Start reading at {@link org.crabro.perf.profile.FlameGraphs}.
 */
@NullMarked
package org.crabro.perf.profile;

import org.jspecify.annotations.NullMarked;
