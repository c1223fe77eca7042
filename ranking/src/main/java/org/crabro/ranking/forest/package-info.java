/**
 * Forests of decision trees, as XGBoost and LightGBM write them: read from their JSON and XGBoost's
 * binary form of it, laid flat, and evaluated for many rows at a time.
 *
 * <p>Start reading at {@link org.crabro.ranking.forest.ForestReader}, then {@link
 * org.crabro.ranking.forest.Forest}.
 *
 * <p>This package does not know what a feature is: a forest has names of inputs, and gets a column
 * of numbers for each. Nor does it know expressions, which it is a part of.
 */
@NullMarked
package org.crabro.ranking.forest;

import org.jspecify.annotations.NullMarked;
