/**
 * Rank expressions compiled once and evaluated over batches of documents.
 *
 * <p>Start reading at {@link org.crabro.ranking.program.RankProgram}.
 *
 * <p>This package does not know where a feature's values come from: whoever evaluates gives them
 * through {@link org.crabro.ranking.program.FeatureValues}.
 */
@NullMarked
package org.crabro.ranking.program;

import org.jspecify.annotations.NullMarked;
