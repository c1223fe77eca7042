package org.crabro.content.recent;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.crabro.content.run.BlockSlice;
import org.crabro.content.run.BlockWriter;
import org.crabro.content.run.DeadRows;
import org.crabro.content.run.EncodedBlock;
import org.crabro.content.run.SortKey;
import org.crabro.content.run.StoredTypes;
import org.crabro.document.DocumentType;
import org.crabro.protocol.encoding.RowEncoding;

/**
 * Rows of a group that were applied one after another, as a block in key order. Rows replaced by
 * others of the block are left out. Counted: its memory lives until the last holder lets it go.
 */
final class RecentBlock {
    /** A block is made of no more rows. */
    static final int ROWS_MAX = BlockWriter.ROWS_MAX;

    /** A block of more than one row is made of no more bytes of rows. */
    static final int BYTES_MAX = BlockWriter.BYTES_MAX;

    private final RecentGroup group;
    private final int from;
    private final int to;
    private final EncodedBlock block;

    /** The index in the group of each row of the block. */
    private final int[] indexes;

    private final BitSet tombstones;
    private final Runnable whenReleased;
    private final AtomicInteger holders = new AtomicInteger(1);

    private RecentBlock(
            RecentGroup group,
            int from,
            int to,
            SegmentAllocator memory,
            StoredTypes types,
            Runnable whenReleased) {
        this.group = group;
        this.from = from;
        this.to = to;
        this.whenReleased = whenReleased;
        DocumentType type = type(group, from, types);
        List<Keyed> rows = rows(group, from, to);
        this.indexes = rows.stream().mapToInt(Keyed::index).toArray();
        this.tombstones = new BitSet();
        var writer = new BlockWriter(type);
        for (int i = 0; i < indexes.length; i++) {
            MemorySegment row = group.row(indexes[i]);
            writer.add(rows.get(i).key(), row);
            tombstones.set(i, RowEncoding.isTombstone(row));
        }
        this.block = writer.finish(memory);
    }

    private record Keyed(SortKey key, int index) {}

    /** Returns a block in memory that somebody else lets go, after the block. */
    static RecentBlock of(
            RecentGroup group, int from, int to, SegmentAllocator memory, StoredTypes types) {
        return new RecentBlock(group, from, to, memory, types, () -> {});
    }

    /** Returns a block in memory of its own. */
    static RecentBlock ofOwnMemory(RecentGroup group, int from, int to, StoredTypes types) {
        Arena memory = Arena.ofShared();
        boolean isMade = false;
        try {
            var made = new RecentBlock(group, from, to, memory, types, memory::close);
            isMade = true;
            return made;
        } finally {
            if (!isMade) {
                memory.close();
            }
        }
    }

    private static DocumentType type(RecentGroup group, int index, StoredTypes types) {
        long fingerprint = RowEncoding.fingerprint(group.row(index));
        return types.type(fingerprint)
                .orElseThrow(() ->
                        new IllegalStateException(
                                "no type with fingerprint %016x".formatted(fingerprint)));
    }

    private static List<Keyed> rows(RecentGroup group, int from, int to) {
        var rows = new ArrayList<Keyed>(to - from);
        for (int i = from; i < to; i++) {
            if (!group.isReplaced(i, to, 0)) {
                rows.add(new Keyed(SortKey.of(RowEncoding.id(group.row(i))), i));
            }
        }
        rows.sort(Comparator.comparing(Keyed::key));
        return rows;
    }

    int from() {
        return from;
    }

    int to() {
        return to;
    }

    /**
     * Returns all rows of the block, those dead that are tombstones or replaced at a moment.
     *
     * @param count how many rows of the group there were
     * @param youngerCount how many rows the same group of the younger table had
     */
    BlockSlice slice(int count, int youngerCount) {
        int[] dead = new int[indexes.length];
        int deadCount = 0;
        for (int row = 0; row < indexes.length; row++) {
            if (tombstones.get(row) || group.isReplaced(indexes[row], count, youngerCount)) {
                dead[deadCount++] = row;
            }
        }
        DeadRows rows = DeadRows.of(Arrays.copyOf(dead, deadCount));
        return new BlockSlice(block, 0, indexes.length, rows);
    }

    /** Holds the block once more; only who holds it already may. */
    void hold() {
        int before = holders.getAndIncrement();
        assert before > 0;
    }

    void release() {
        int left = holders.decrementAndGet();
        assert left >= 0;
        if (left == 0) {
            whenReleased.run();
        }
    }
}
