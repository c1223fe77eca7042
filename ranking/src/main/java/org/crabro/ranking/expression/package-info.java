/**
 * Rank expressions as trees, read from text and written back.
 *
 * <p>Start reading at {@link org.crabro.ranking.expression.Expression}, then {@link
 * org.crabro.ranking.expression.ExpressionParser}; {@link
 * org.crabro.ranking.expression.ProfileFunctions} puts the functions of a profile into the
 * expressions that name them.
 *
 * <p>This package does not know what a feature is worth, nor which features exist.
 */
@NullMarked
package org.crabro.ranking.expression;

import org.jspecify.annotations.NullMarked;
