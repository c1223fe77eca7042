package org.crabro.content.match;

import org.crabro.content.match.cache.BlockCaches;

/**
 * The caches and the memory that a scan uses.
 *
 * @param texts results that earlier passes of the query found in texts
 * @param blocks data of blocks that earlier searches cached
 * @param memory used by one scan at a time
 */
public record ScanCaches(TextHitsCache texts, BlockCaches blocks, ScanMemory memory) {}
