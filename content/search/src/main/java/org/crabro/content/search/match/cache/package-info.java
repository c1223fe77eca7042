/**
 * Caches of data that searches compute from blocks: postings, and vectors quantized to one byte per
 * cell.
 *
 * <p>Each cache has a limit in bytes; at the limit it evicts the least recently used entries. An
 * entry is made after a stated number of searches of its block.
 *
 * <p>Start reading at {@link org.crabro.content.search.match.cache.BlockCache}.
 *
 * <p>This package does not depend on queries.
 */
@NullMarked
package org.crabro.content.search.match.cache;

import org.jspecify.annotations.NullMarked;
