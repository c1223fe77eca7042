package org.crabro.content.search.rank;

import java.util.function.IntConsumer;
import org.crabro.ranking.onnx.ModelRuns;

/**
 * The resources for the compilation of a rank profile, in addition to the profile and the query.
 *
 * @param programs the compiled programs of the schema
 * @param models open as long as rows are scored
 * @param work receives units of {@link org.crabro.ranking.tensor.TensorWork} before constants of
 *     the query are computed; throws to stop the compilation
 */
public record RankResources(
        RankProgramCache.OfSchema programs, ModelRuns models, IntConsumer work) {}
