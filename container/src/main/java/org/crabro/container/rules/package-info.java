/**
 * Applies the rules of a package to the words of a query.
 *
 * <p>Start reading at {@link org.crabro.container.rules.RuleRewriter}. {@link
 * org.crabro.container.rules.RuleMatcher} decides where a condition matches, {@link
 * org.crabro.container.rules.RuleTree} changes the tree.
 *
 * <p>The package does not know requests.
 */
@NullMarked
package org.crabro.container.rules;

import org.jspecify.annotations.NullMarked;
