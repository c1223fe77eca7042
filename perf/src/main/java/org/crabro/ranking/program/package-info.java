/** Measures how fast rank expressions are evaluated. */
@NullMarked
package org.crabro.ranking.program;

import org.jspecify.annotations.NullMarked;
