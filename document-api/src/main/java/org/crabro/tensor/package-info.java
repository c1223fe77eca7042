/**
 * Tensor types, tensor values and their literal forms.
 *
 * <p>Start reading at {@link org.crabro.tensor.TensorType}, then {@link
 * org.crabro.tensor.DenseTensor}. {@link org.crabro.tensor.MixedTensor} has mapped dimensions.
 *
 * <p>Arithmetic is in {@code org.crabro.ranking}.
 */
@NullMarked
package org.crabro.tensor;

import org.jspecify.annotations.NullMarked;
