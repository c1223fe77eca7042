/**
 * Finds words, phrases and patterns in texts and in the tokens of a block.
 *
 * <p>A {@link org.crabro.content.search.match.text.TextScan} holds all patterns that a query looks
 * for in one field. {@link org.crabro.content.search.match.text.TokenHits} finds them in the token
 * numbers of a block, {@link org.crabro.content.search.match.text.RawTextSearch} in texts without
 * stored tokens. A {@link org.crabro.content.search.match.text.TextMatcher} evaluates one predicate
 * on single texts: a regular expression, an edit distance, words near each other.
 *
 * <p>Start reading at {@link org.crabro.content.search.match.text.TextPattern}.
 *
 * <p>This package does not depend on results, scans or scores.
 */
@NullMarked
package org.crabro.content.search.match.text;

import org.jspecify.annotations.NullMarked;
