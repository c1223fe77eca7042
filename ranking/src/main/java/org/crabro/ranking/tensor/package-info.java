/**
 * Tensor arithmetic: the type of the result of an operation, and its value. Every operation works
 * on dense, sparse and mixed tensors.
 *
 * <p>Start reading at {@link org.crabro.ranking.tensor.TensorData}, then {@link
 * org.crabro.ranking.tensor.TensorTypes}.
 *
 * <p>The package does not depend on expressions.
 */
@NullMarked
package org.crabro.ranking.tensor;

import org.jspecify.annotations.NullMarked;
