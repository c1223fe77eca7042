package org.crabro.content.result;

import org.crabro.content.block.Block;
import org.crabro.content.match.QueryRejectedException;
import org.crabro.document.HeldSize;
import org.crabro.protocol.search.SearchHit;

/**
 * Bounds what the hits of one search take of the heap, where their documents are large. A large
 * document is alone in its block, so that of all others nothing is counted.
 */
final class HitMemoryLimit {
    private static final int HEAP_PART = 8;

    private final long most;
    private long bytes;

    /**
     * @param heapBytes of which an eighth may be taken
     */
    HitMemoryLimit(long heapBytes) {
        this.most = heapBytes / HEAP_PART;
    }

    /**
     * Counts a hit in.
     *
     * @param block that its document lies in
     * @throws QueryRejectedException if it is one too many
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
