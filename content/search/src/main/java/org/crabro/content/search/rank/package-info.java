/**
 * Scores the rows that match: computes features in batches, and from them the scores of a rank
 * profile.
 *
 * <p>Start reading at {@link org.crabro.content.search.rank.Ranking}, which is a rank profile
 * compiled for one query. Each scan thread scores with a {@link
 * org.crabro.content.search.rank.Scorer} of its own.
 *
 * <p>This package does not select the best rows and does not return hits.
 */
@NullMarked
package org.crabro.content.search.rank;

import org.jspecify.annotations.NullMarked;
