/**
 * Rank expressions as trees, parsed from text and printed.
 *
 * <p>Start reading at {@link org.crabro.ranking.expression.Expression}, then {@link
 * org.crabro.ranking.expression.ExpressionParser}. {@link
 * org.crabro.ranking.expression.ProfileFunctions} replaces the names of a profile's functions by
 * their expressions.
 *
 * <p>The package does not depend on the features that exist or on their values.
 */
@NullMarked
package org.crabro.ranking.expression;

import org.jspecify.annotations.NullMarked;
