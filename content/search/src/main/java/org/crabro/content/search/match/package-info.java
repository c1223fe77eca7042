/**
 * Matches the rows of a block.
 *
 * <p>A query tree and a schema are compiled once to a {@link
 * org.crabro.content.search.match.Matcher}. Each scan thread opens one block after another in a
 * {@link org.crabro.content.search.match.BlockScan}. The matcher narrows a batch of row numbers in
 * place, cheapest condition first. A block whose header shows that no row can match is skipped
 * before a column is read.
 *
 * <p>{@code match.text} finds words in texts and tokens, {@code match.cache} caches postings and
 * quantized vectors of blocks that are searched often.
 *
 * <p>Start reading at {@link org.crabro.content.search.match.Matcher}.
 *
 * <p>This package does not depend on scores, hits or threads.
 */
@NullMarked
package org.crabro.content.search.match;

import org.jspecify.annotations.NullMarked;
