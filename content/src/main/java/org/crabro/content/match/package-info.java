/**
 * Which rows of a block a query matches.
 *
 * <p>A query tree and a schema are compiled once to a {@link org.crabro.content.match.Matcher};
 * each scanning thread opens one block after another in a {@link
 * org.crabro.content.match.BlockScan} and lets the matcher narrow a batch of row numbers, cheapest
 * conditions first. Words are looked up in the dictionary of a block and compared as numbers; where
 * a block keeps no such tokens, text is tokenised once per row and field, for all words looked for
 * in it. Blocks in which nothing can match are passed over before a column is read. Of blocks that
 * are searched again and again a node keeps, within a bound, which rows have which words, so that
 * it takes what a word has and not what the block has; and of vectors that come from memory a form
 * of a byte a cell, which tells most of them to be too far away.
 *
 * <p>Start reading at {@link org.crabro.content.match.Matcher}.
 *
 * <p>This package does not know scores, hits or threads.
 */
@NullMarked
package org.crabro.content.match;

import org.jspecify.annotations.NullMarked;
