/** Comparisons with other programs: Lucene, SQLite and plain loops over memory. */
@NullMarked
package org.crabro.perf.compare;

import org.jspecify.annotations.NullMarked;
