package org.crabro.content.match;

import org.crabro.content.match.cache.BlockCaches;

/**
 * The caches and the memory that a scan uses.
 *
 * @param texts what earlier passes of the query have found in texts
 * @param blocks what earlier searches have cached of blocks
 * @param memory used by one scan at a time
 */
public record ScanCaches(TextHitsCache texts, BlockCaches blocks, ScanMemory memory) {}
