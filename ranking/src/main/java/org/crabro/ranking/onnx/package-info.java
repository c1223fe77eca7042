/**
 * Models run through ONNX Runtime; for now embedders.
 *
 * <p>Start reading at {@link org.crabro.ranking.onnx.Embedder}.
 *
 * <p>This package does not know which application asks, nor what becomes of a tensor.
 */
@NullMarked
package org.crabro.ranking.onnx;

import org.jspecify.annotations.NullMarked;
