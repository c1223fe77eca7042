package org.crabro.content.storage.read;

import java.util.ArrayList;
import java.util.List;
import org.crabro.content.storage.block.EncodedBlock;
import org.jspecify.annotations.Nullable;

/**
 * The parts of files that a pass reads into large pages: parts filled by neighbouring blocks of
 * which nearly all bytes are wanted. For one thread at a time.
 */
final class LargeParts {
    /** The wanted share of a block from which on the rest is read with it. */
    private static final double WANTED_SHARE = 0.95;

    private final List<BlockSlice> slices;
    private final ReadPlan reads;
    private final List<LargePart> all = new ArrayList<>();
    // Slices before {@code rowEnd} are in a row of blocks between these offsets of a file.
    private int rowEnd;
    private long from;
    private long to;
    private @Nullable LargePart last;

    LargeParts(List<BlockSlice> slices, ReadPlan reads) {
        this.slices = slices;
        this.reads = reads;
    }

    /**
     * Returns the parts that contain the block of a slice. Slices are requested in their order.
     *
     * @param made receives the parts that no earlier slice had
     */
    List<LargePart> of(int slice, EncodedBlock block, List<LargePart> made) {
        int size = block.largeSize();
        if (size == 0) {
            return List.of();
        }
        if (slice >= rowEnd) {
            beginRow(slice, block);
        }
        var parts = new ArrayList<LargePart>(2);
        long end = block.fileOffset() + block.byteSize();
        long first = Math.max(block.fileOffset() & -size, (from + size - 1) & -size);
        for (long at = first; at < end && at + size <= to; at += size) {
            LargePart part = last;
            if (part == null || part.offset() != at) {
                part = new LargePart(block, at);
                last = part;
                all.add(part);
                made.add(part);
            }
            parts.add(part);
        }
        return parts;
    }

    /** Finds the end of consecutive blocks whose bytes are nearly all wanted. */
    @SuppressWarnings("ReferenceEquality") // Slices of one block share the same object.
    private void beginRow(int slice, EncodedBlock first) {
        from = first.fileOffset();
        to = from;
        last = null;
        EncodedBlock before = first;
        int at = slice;
        while (at < slices.size()) {
            EncodedBlock block = slices.get(at).block();
            if (at == slice || block != before) {
                boolean isNext = at == slice || block.follows(before);
                if (!isNext || !isNearlyAllWanted(at, block)) {
                    break;
                }
                to = block.fileOffset() + block.byteSize();
                before = block;
            }
            at++;
        }
        rowEnd = Math.max(at, slice + 1);
    }

    private boolean isNearlyAllWanted(int slice, EncodedBlock block) {
        return block.isWhole()
                && reads.isWanted(slice)
                && block.byteSize(reads.all()) >= WANTED_SHARE * block.byteSize();
    }

    /** Returns when no thread reads any more. */
    void end() {
        all.forEach(LargePart::end);
    }
}
