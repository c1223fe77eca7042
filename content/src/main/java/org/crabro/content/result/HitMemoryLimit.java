package org.crabro.content.result;

import org.crabro.content.block.Block;
import org.crabro.content.query.QueryRejectedException;
import org.crabro.document.HeldSize;
import org.crabro.protocol.search.SearchHit;

/**
 * Limits the heap memory of the hits of one search, if their documents are large. A large document
 * has a block of its own. Hits from other blocks are not counted.
 */
final class HitMemoryLimit {
    private static final int HEAP_PART = 8;

    private final long most;
    private long bytes;

    /**
     * @param heapBytes the size of the heap; hits may take an eighth of it
     */
    HitMemoryLimit(long heapBytes) {
        this.most = heapBytes / HEAP_PART;
    }

    /**
     * Counts a hit.
     *
     * @param block the block of its document
     * @throws QueryRejectedException if the hits take too much memory
     */
    void add(SearchHit hit, Block block) {
        if (block.rowCount() > 1) {
            return;
        }
        bytes += HeldSize.of(hit.summary().values());
        if (bytes > most) {
            throw new QueryRejectedException(
                    "the hits take more than %d bytes, an eighth of the heap: ask for fewer of them, or for fewer fields"
                            .formatted(most));
        }
    }
}
