/** Races of recent documents: writing, flushing and reading, run by {@code bin/perf stress}. */
@NullMarked
package org.crabro.content.recent;

import org.jspecify.annotations.NullMarked;
