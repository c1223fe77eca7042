/**
 * Caches of what searches compute from blocks: postings, and vectors quantized to a byte a cell.
 *
 * <p>Each cache has a limit in bytes; at the limit it evicts the least recently used entries. An
 * entry is made after a stated number of searches of its block.
 *
 * <p>Start reading at {@link org.crabro.content.match.cache.BlockCache}.
 *
 * <p>This package does not know queries.
 */
@NullMarked
package org.crabro.content.match.cache;

import org.jspecify.annotations.NullMarked;
