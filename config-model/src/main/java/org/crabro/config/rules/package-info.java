/**
 * Rules of a package that rewrite the words of queries, in the files {@code rules/*.sr}.
 *
 * <p>Start reading at {@link org.crabro.config.rules.RuleBases}. {@link
 * org.crabro.config.rules.RuleParser} has the grammar, and {@link
 * org.crabro.config.rules.RuleBaseLinker} resolves names and included files.
 *
 * <p>The package does not know queries.
 */
@NullMarked
package org.crabro.config.rules;

import org.jspecify.annotations.NullMarked;
