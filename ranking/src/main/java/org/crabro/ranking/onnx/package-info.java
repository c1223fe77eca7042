/**
 * Runs models through ONNX Runtime, for embedders and for rank expressions.
 *
 * <p>For embedders, start reading at {@link org.crabro.ranking.onnx.Embedder}, then {@link
 * org.crabro.ranking.onnx.HuggingFaceEmbedder}, which computes one vector of a text. Other
 * embedders compute a vector for each token, or weights of words. A server calls {@link
 * org.crabro.ranking.onnx.NativeLibraries} before it opens the first model. {@link
 * org.crabro.ranking.onnx.ModelSignature} reads the inputs and outputs of a model from its file
 * alone.
 *
 * <p>For ranking, start at {@link org.crabro.ranking.onnx.RankModelFile}, which checks a model when
 * a package is deployed and binds its inputs. {@link org.crabro.ranking.onnx.RankModels} are the
 * loaded models of a generation. A query has {@link org.crabro.ranking.onnx.ModelRuns}, and each of
 * its threads has a {@link org.crabro.ranking.onnx.ModelRun}.
 *
 * <p>{@link org.crabro.ranking.onnx.ModelSessions} are the sessions of one model, which share its
 * weights. Package {@code threads} decides which of them runs.
 *
 * <p>The package does not depend on applications or expressions.
 */
@NullMarked
package org.crabro.ranking.onnx;

import org.jspecify.annotations.NullMarked;
