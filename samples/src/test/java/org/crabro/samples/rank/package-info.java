/** Tests of rank profiles, models and tensors. */
@NullMarked
package org.crabro.samples.rank;

import org.jspecify.annotations.NullMarked;
