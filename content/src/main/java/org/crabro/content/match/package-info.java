/**
 * Which rows of a block a query matches.
 *
 * <p>A query tree and a schema are compiled once to a {@link org.crabro.content.match.Matcher};
 * each scanning thread opens one block after another in a {@link
 * org.crabro.content.match.BlockScan} and lets the matcher narrow a batch of row numbers, cheapest
 * conditions first. Text is tokenised once per row and field, for all words looked for in it.
 *
 * <p>Start reading at {@link org.crabro.content.match.Matcher}.
 *
 * <p>This package does not know scores, hits or threads.
 */
@NullMarked
package org.crabro.content.match;

import org.jspecify.annotations.NullMarked;
