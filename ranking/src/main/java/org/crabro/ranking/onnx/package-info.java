/**
 * Models run through ONNX Runtime: embedders, and what rank expressions name.
 *
 * <p>Of embedders, start reading at {@link org.crabro.ranking.onnx.Embedder}, then {@link
 * org.crabro.ranking.onnx.HuggingFaceEmbedder}, which makes one vector of a text; others make one
 * for each token, or weights of words. A server calls {@link
 * org.crabro.ranking.onnx.NativeLibraries} before it opens the first model. What a model takes and
 * gives is read from its file alone by {@link org.crabro.ranking.onnx.ModelSignature}.
 *
 * <p>Of ranking, start at {@link org.crabro.ranking.onnx.RankModelFile}, which looks at a model
 * when a package is deployed and binds it to what it is given. {@link
 * org.crabro.ranking.onnx.RankModels} are those of a generation, loaded; a query has {@link
 * org.crabro.ranking.onnx.ModelRuns} of them, and each of its threads a {@link
 * org.crabro.ranking.onnx.ModelRun}.
 *
 * <p>This package does not know which application asks, nor what becomes of a tensor, nor what
 * expressions are.
 */
@NullMarked
package org.crabro.ranking.onnx;

import org.jspecify.annotations.NullMarked;
