package org.crabro.content.search.match;

import org.crabro.content.search.match.cache.BlockCaches;
import org.crabro.content.search.parent.Parents;

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
