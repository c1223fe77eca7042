/** Races of recent documents: writing, flushing and reading, run by {@code bin/perf stress}. */
@NullMarked
package org.crabro.content.storage.memtable;

import org.jspecify.annotations.NullMarked;
