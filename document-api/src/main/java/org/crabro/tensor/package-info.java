/**
 * Tensor types and values, and their literal forms.
 *
 * <p>Start reading at {@link org.crabro.tensor.TensorType}, then {@link
 * org.crabro.tensor.DenseTensor}; {@link org.crabro.tensor.MixedTensor} has mapped dimensions.
 *
 * <p>This package does not know arithmetic: that is {@code org.crabro.ranking}.
 */
@NullMarked
package org.crabro.tensor;

import org.jspecify.annotations.NullMarked;
