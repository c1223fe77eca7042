/** Measures how fast decision trees are evaluated. */
@NullMarked
package org.crabro.ranking.forest;

import org.jspecify.annotations.NullMarked;
