/**
 * Models run through ONNX Runtime; for now embedders.
 *
 * <p>Start reading at {@link org.crabro.ranking.onnx.Embedder}, then {@link
 * org.crabro.ranking.onnx.HuggingFaceEmbedder}, which makes one vector of a text; others make one
 * for each token, or weights of words. A server calls {@link
 * org.crabro.ranking.onnx.NativeLibraries} before it opens the first model. What a model takes and
 * gives is read from its file alone by {@link org.crabro.ranking.onnx.ModelSignature}.
 *
 * <p>This package does not know which application asks, nor what becomes of a tensor.
 */
@NullMarked
package org.crabro.ranking.onnx;

import org.jspecify.annotations.NullMarked;
