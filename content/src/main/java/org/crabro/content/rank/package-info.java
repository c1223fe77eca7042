/**
 * How well the rows that matched fit a query: features in batches, and the scores that a rank
 * profile computes of them.
 *
 * <p>Start reading at {@link org.crabro.content.rank.Ranking}, which is a rank profile compiled for
 * one query; each scanning thread scores with a {@link org.crabro.content.rank.Scorer} of its own.
 *
 * <p>This package does not know which rows are kept, nor what becomes of their scores.
 */
@NullMarked
package org.crabro.content.rank;

import org.jspecify.annotations.NullMarked;
