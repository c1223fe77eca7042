/**
 * Models of how frequent words are in a language, read from JSON.
 *
 * <p>Start reading at {@link org.crabro.ranking.significance.SignificanceReader}, then {@link
 * org.crabro.ranking.significance.SignificanceModels}.
 *
 * <p>The package does not depend on queries or tokenizing. Callers look up words in lower case, as
 * the files contain them.
 */
@NullMarked
package org.crabro.ranking.significance;

import org.jspecify.annotations.NullMarked;
