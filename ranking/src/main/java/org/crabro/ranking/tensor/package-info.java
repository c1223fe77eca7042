/**
 * Arithmetic of tensors: what type an operation gives, and what it computes. All of it works on any
 * tensor, dense, sparse or mixed.
 *
 * <p>Start reading at {@link org.crabro.ranking.tensor.TensorData}, then {@link
 * org.crabro.ranking.tensor.TensorTypes}.
 *
 * <p>This package does not know expressions: whoever compiles them chooses the operations.
 */
@NullMarked
package org.crabro.ranking.tensor;

import org.jspecify.annotations.NullMarked;
