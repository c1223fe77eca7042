package org.crabro.content.match;

import org.crabro.content.match.cache.BlockCaches;
import org.crabro.content.parent.Parents;

/**
 * The caches and the memory that a scan uses.
 *
 * @param texts results that earlier passes of the query found in texts
 * @param blocks data of blocks that earlier searches cached
 * @param memory used by one scan at a time
 * @param parents the documents whose fields are imported
 */
public record ScanCaches(
        TextHitsCache texts, BlockCaches blocks, ScanMemory memory, Parents parents) {}
