/** Measurements of concurrent runs of large models, with generated weights. */
@NullMarked
package org.crabro.perf.serving;

import org.jspecify.annotations.NullMarked;
