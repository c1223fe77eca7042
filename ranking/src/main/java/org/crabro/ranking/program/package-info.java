/**
 * Rank expressions, compiled once and evaluated over batches of documents.
 *
 * <p>Start reading at {@link org.crabro.ranking.program.RankProgram}.
 *
 * <p>The caller supplies the values of features through {@link
 * org.crabro.ranking.program.FeatureValues}.
 */
@NullMarked
package org.crabro.ranking.program;

import org.jspecify.annotations.NullMarked;
