/**
 * Checks rank expressions before they run: each feature exists in Crabro, the names in it exist,
 * and the types fit.
 *
 * <p>Start reading at {@link org.crabro.ranking.type.TypeCheck}. {@link
 * org.crabro.ranking.type.RankFeature} lists the features, for deployment and for evaluation.
 *
 * <p>The package does not depend on schemas: {@link org.crabro.ranking.type.FeatureTypes} supplies
 * the types of names.
 */
@NullMarked
package org.crabro.ranking.type;

import org.jspecify.annotations.NullMarked;
