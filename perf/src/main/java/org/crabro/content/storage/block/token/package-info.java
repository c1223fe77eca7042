/** Texts for benchmarks of token columns. */
@NullMarked
package org.crabro.content.storage.block.token;

import org.jspecify.annotations.NullMarked;
