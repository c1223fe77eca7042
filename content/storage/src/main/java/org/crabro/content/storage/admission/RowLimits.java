package org.crabro.content.storage.admission;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Optional;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.protocol.encoding.RowCost;
import org.crabro.protocol.feed.WriteReply;

/**
 * The size limits of documents: that of the type, or that of the settings. Neither can exceed a
 * part of the heap, so that writing and reading the row in a run does not exhaust the heap. With
 * replicas, neither can exceed what an entry of the log has room for.
 */
public final class RowLimits {
    /**
     * While a run is written, the heap holds the row's values, their compressed bytes and the
     * block. A flush, a merge, writes and reads may run at the same time.
     */
    private static final int HEAP_PART = 16;

    /**
     * The values of a row take a quarter of the heap at most. A text of the maximum size takes as
     * much.
     */
    private static final int VALUES_HEAP_PART = 4;

    private static final long VALUES_MORE = 1 << 20;

    /** The values of a shorter row take less, whatever they are. */
    private static final int VALUES_UNCHECKED = 64 << 10;

    /** The maximum with replicas, in bytes: a larger entry would end one leader after another. */
    public static final int REPLICATED_BYTES = 8 << 20;

    private final int usual;
    private final long ofHeap;
    private final long valuesMost;
    private final boolean isReplicated;
    private volatile Map<String, Integer> byType = Map.of();

    /**
     * @param usual limit of types without their own, in bytes
     */
    public RowLimits(int usual, long heapBytes, boolean isReplicated) {
        this.usual = usual;
        this.ofHeap = heapBytes / HEAP_PART;
        this.valuesMost = heapBytes / VALUES_HEAP_PART + VALUES_MORE;
        this.isReplicated = isReplicated;
    }

    /** Sets the limits of types, in bytes, from the next write on. */
    public void set(Map<String, Integer> limits) {
        byType = Map.copyOf(limits);
    }

    /**
     * Returns why the values of a row are rejected; empty if they are accepted. Many empty elements
     * are a short row, and take much memory whenever it is read.
     *
     * @param row not a tombstone
     */
    public Optional<WriteReply> refusal(DocumentId id, byte[] row, DocumentType type) {
        if (row.length <= VALUES_UNCHECKED) {
            return Optional.empty();
        }
        long cost = RowCost.of(MemorySegment.ofArray(row), type);
        return cost <= valuesMost
                ? Optional.empty()
                : Optional.of(
                        new WriteReply.TooLarge(
                                "%s has values that take %d bytes of memory, more than the maximum of %d: a quarter of the heap"
                                        .formatted(id, cost, valuesMost)));
    }

    /** Returns why a row of {@code length} bytes is rejected; empty if it is accepted. */
    public Optional<WriteReply> refusal(DocumentId id, int length) {
        int asked = byType.getOrDefault(id.documentType(), usual);
        long ofLog = isReplicated ? REPLICATED_BYTES : Long.MAX_VALUE;
        long most = Math.min(asked, Math.min(ofHeap, ofLog));
        if (length <= most) {
            return Optional.empty();
        }
        String reason = "%s has %d bytes, more than the maximum of %d".formatted(id, length, most);
        if (most == asked) {
            return Optional.of(new WriteReply.Rejected(reason));
        }
        return Optional.of(
                most == ofLog
                        ? new WriteReply.TooLarge(reason + ": the limit with replicas")
                        : new WriteReply.Rejected(reason + ": a sixteenth of the heap"));
    }
}
