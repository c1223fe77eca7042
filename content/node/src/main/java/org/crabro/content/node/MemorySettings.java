package org.crabro.content.node;

import org.crabro.content.search.group.GroupMemory;
import org.crabro.content.search.parent.ParentViews;

/**
 * The memory that a node uses for reads, in addition to recent documents.
 *
 * @param postingsBytes cache of postings of frequently searched blocks, on the heap; 0 for none
 * @param vectorBytes cache of quantized vectors of blocks whose vectors are compared often, outside
 *     the heap; 0 for none
 * @param valueBytes values of documents that are read one by one, on the heap; a single document
 *     may exceed it
 * @param groupBytes groups of all queries, on the heap
 * @param parentRows how many parents each query remembers, on the heap; then it finds those that it
 *     needs again
 */
public record MemorySettings(
        long postingsBytes, long vectorBytes, long valueBytes, long groupBytes, int parentRows) {
    private static final long POSTINGS_BYTES = 64L << 20;
    private static final int POSTINGS_HEAP_SHARE = 16;
    private static final int VECTORS_HEAP_SHARE = 8;
    private static final int VALUES_HEAP_SHARE = 4;

    public MemorySettings {
        if (postingsBytes < 0
                || vectorBytes < 0
                || valueBytes < 1
                || groupBytes < 1
                || parentRows < 1) {
            throw new IllegalArgumentException(
                    "postingsBytes is %d, vectorBytes %d, valueBytes %d, groupBytes %d, parentRows %d; at least 0, 0, 1, 1 and 1 are needed"
                            .formatted(
                                    postingsBytes,
                                    vectorBytes,
                                    valueBytes,
                                    groupBytes,
                                    parentRows));
        }
    }

    /** Returns a part of this memory for another node of the process. */
    public MemorySettings dividedBy(int parts) {
        return new MemorySettings(
                postingsBytes / parts,
                vectorBytes / parts,
                Math.max(1, valueBytes / parts),
                Math.max(1, groupBytes / parts),
                parentRows);
    }

    /** Returns the defaults for the heap of this process. */
    static MemorySettings ofThisHeap() {
        return new MemorySettings(
                postingsBytesByDefault(),
                vectorBytesByDefault(),
                Runtime.getRuntime().maxMemory() / VALUES_HEAP_SHARE,
                GroupMemory.bytesByDefault(),
                ParentViews.ROWS_MAX);
    }

    /** Returns the default size of the cache: 64 MiB, or a sixteenth of a smaller heap. */
    public static long postingsBytesByDefault() {
        return Math.min(POSTINGS_BYTES, Runtime.getRuntime().maxMemory() / POSTINGS_HEAP_SHARE);
    }

    /** Returns the default size of the cache: an eighth of the heap. */
    public static long vectorBytesByDefault() {
        return Runtime.getRuntime().maxMemory() / VECTORS_HEAP_SHARE;
    }
}
