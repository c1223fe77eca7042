package org.crabro.content.recent;

import java.util.Map;
import java.util.Optional;
import org.crabro.document.DocumentId;

/**
 * How large a document may be: as its type says, or as the settings do, and never so large that
 * what is made of it on its way into a run and out of it would fill the heap.
 */
final class RowLimits {
    /**
     * A row becomes the values of a block, their compressed bytes and the block while a run is
     * written; and one is flushed while another is merged, fed and read.
     */
    private static final int HEAP_PART = 16;

    private final int usual;
    private final long ofHeap;
    private volatile Map<String, Integer> byType = Map.of();

    /**
     * @param usual of types that say nothing, in bytes
     */
    RowLimits(int usual, long heapBytes) {
        this.usual = usual;
        this.ofHeap = heapBytes / HEAP_PART;
    }

    /** Sets the limits of the types that have their own, in bytes, from the next write on. */
    void set(Map<String, Integer> limits) {
        byType = Map.copyOf(limits);
    }

    /** Returns why a row of so many bytes is not taken, or nothing where it is. */
    Optional<String> refusal(DocumentId id, int length) {
        int asked = byType.getOrDefault(id.documentType(), usual);
        long most = Math.min(asked, ofHeap);
        if (length <= most) {
            return Optional.empty();
        }
        String why = most < asked ? ": a sixteenth of the heap" : "";
        return Optional.of(
                "%s has %d bytes, more than the %d of the largest document%s"
                        .formatted(id, length, most, why));
    }
}
