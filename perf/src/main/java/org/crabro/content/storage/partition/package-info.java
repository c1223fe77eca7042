/**
 * Stress tests of races between views of runs and changes of the log, run by {@code bin/perf
 * stress}.
 */
@NullMarked
package org.crabro.content.storage.partition;

import org.jspecify.annotations.NullMarked;
