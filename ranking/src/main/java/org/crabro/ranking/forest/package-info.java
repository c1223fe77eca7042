/**
 * Forests of decision trees of XGBoost and LightGBM: parsed from JSON and from XGBoost's binary
 * JSON, laid out in flat arrays, and evaluated for many rows at a time.
 *
 * <p>Start reading at {@link org.crabro.ranking.forest.ForestReader}, then {@link
 * org.crabro.ranking.forest.Forest}.
 *
 * <p>A forest has names of inputs and gets a column of numbers for each. The package does not
 * depend on features or expressions.
 */
@NullMarked
package org.crabro.ranking.forest;

import org.jspecify.annotations.NullMarked;
