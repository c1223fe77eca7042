/**
 * What rank expressions are made of is checked here before anything runs: that each feature is one
 * that Crabro has, that what it names exists, and that the types fit.
 *
 * <p>Start reading at {@link org.crabro.ranking.type.TypeCheck}; {@link
 * org.crabro.ranking.type.RankFeature} is the list of features, on which whoever deploys and
 * whoever evaluates agree.
 *
 * <p>This package does not know schemas: what a name stands for it asks through {@link
 * org.crabro.ranking.type.FeatureTypes}.
 */
@NullMarked
package org.crabro.ranking.type;

import org.jspecify.annotations.NullMarked;
