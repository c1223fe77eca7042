package org.crabro.content.storage.memtable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.crabro.content.storage.block.BlockWriter;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.key.KeyArea;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.dead.DeadRows;
import org.crabro.content.storage.dead.RecentRemovedGroups;
import org.crabro.content.storage.dead.RemovedGroups;
import org.crabro.content.storage.dead.ReplacedRows;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.file.ReferenceCount;
import org.crabro.content.storage.layout.BlockLayout;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.content.storage.run.RowCursor;
import org.crabro.content.storage.run.RunView;
import org.crabro.document.DocumentType;
import org.crabro.protocol.encoding.RowEncoding;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a scope that were applied one after another, as a block in key order. Rows that other
 * rows of the block replace are left out. Reference-counted: its memory is freed by the last
 * release.
 */
final class RecentBlock {
    /** The most rows of a block. */
    static final int ROWS_MAX = BlockLayout.ROWS_MAX;

    /** The most bytes of rows in a block of more than one row. */
    static final int BYTES_MAX = BlockWriter.BYTES_MAX;

    /** The approximate memory of a block in addition to its bytes and addresses. */
    private static final int OVERHEAD = 512;

    /**
     * The approximate memory of a row's addresses, in the table and of an older version in runs.
     */
    private static final long ROW_OVERHEAD = Integer.BYTES + Long.BYTES;

    private final RecentTable table;
    private final int first;
    private final int last;

    /** The number of rows that it was made of. */
    private final int made;

    private final EncodedBlock block;

    /** The table address of each row of the block. */
    private final int[] addresses;

    private final BitSet tombstones;
    private final long cost;
    private final Runnable whenReleased;
    private final ReferenceCount holders = new ReferenceCount();
    private volatile @Nullable Shown shown;
    private volatile @Nullable Replaced replaced;

    /** The memory of its tokens outside the table, in bytes. */
    private final AtomicLong tokenBytes = new AtomicLong();

    private RecentBlock(
            RecentTable table,
            int[] from,
            SegmentAllocator memory,
            boolean isOwn,
            Runnable whenReleased) {
        this.table = table;
        this.first = from[0];
        this.last = from[from.length - 1];
        this.made = from.length;
        this.whenReleased = whenReleased;
        DocumentType type = table.type(RowEncoding.fingerprint(table.rows().row(first)));
        List<Keyed> rows = rows(table.rows(), from);
        this.addresses = rows.stream().mapToInt(Keyed::address).toArray();
        this.tombstones = new BitSet();
        var writer = new BlockWriter(type);
        for (int i = 0; i < addresses.length; i++) {
            MemorySegment row = table.rows().row(addresses[i]);
            writer.add(rows.get(i).key(), row);
            tombstones.set(i, RowEncoding.isTombstone(row));
        }
        EncodedBlock written = writer.finish(memory);
        LongConsumer account = isOwn ? this::accountTokens : table::account;
        this.block = written.withTokens(table.searchedTexts(type), memory, account);
        this.cost = OVERHEAD + block.byteSize() + ROW_OVERHEAD * addresses.length;
        table.account(cost);
    }

    private void accountTokens(long bytes) {
        tokenBytes.addAndGet(bytes);
        table.account(bytes);
    }

    private record Keyed(RowKey key, int address) {}

    /**
     * Returns a block whose memory lives as long as the table. The first query that needs the
     * tokens of its searched texts computes and keeps them, also in the table's memory.
     *
     * @param addresses at least one, ascending, of rows of one type
     */
    static RecentBlock ofTableMemory(RecentTable table, int[] addresses) {
        return new RecentBlock(table, addresses, table.memory(), false, () -> {});
    }

    /**
     * Returns a block in its own memory, which the last release frees. The tokens of its searched
     * texts are kept there, too.
     */
    static RecentBlock ofOwnMemory(RecentTable table, int[] addresses) {
        Arena memory = Arena.ofShared();
        boolean isMade = false;
        try {
            var made = new RecentBlock(table, addresses, memory, true, memory::close);
            isMade = true;
            return made;
        } finally {
            if (!isMade) {
                memory.close();
            }
        }
    }

    private static List<Keyed> rows(RecentRows rows, int[] addresses) {
        var keyed = new ArrayList<Keyed>(addresses.length);
        int end = addresses[addresses.length - 1] + 1;
        for (int address : addresses) {
            if (!rows.isReplaced(address, end, 0)) {
                keyed.add(new Keyed(RowKey.of(RowEncoding.id(rows.row(address))), address));
            }
        }
        keyed.sort(Comparator.comparing(Keyed::key));
        return keyed;
    }

    /**
     * Returns whether this block was made of the rows of the scope from the first to the last of
     * {@code others}.
     */
    boolean spans(int[] others) {
        return first == others[0] && last == others[others.length - 1] && made == others.length;
    }

    /**
     * Returns all rows of the block as of a moment. Dead rows are tombstones, and rows that were
     * replaced or removed by then.
     *
     * @param end the end of the table's rows
     * @param youngerEnd the end of the newer table's rows
     * @param removed groups that were removed from the table by then
     * @param removedByYounger groups that the newer table had removed
     */
    BlockSlice slice(
            int end, int youngerEnd, RecentRemovedGroups removed, RemovedGroups removedByYounger) {
        if (!removed.groups().isEmpty() || !removedByYounger.isEmpty()) {
            return newSlice(end, youngerEnd, gone(removed, removedByYounger));
        }
        // Replacements at a given moment never change, and most moments equal the last one, so the
        // last slice is cached.
        Shown cached = shown;
        if (cached == null || cached.end != end || cached.youngerEnd != youngerEnd) {
            cached = new Shown(end, youngerEnd, newSlice(end, youngerEnd, new BitSet(0)));
            shown = cached;
        }
        return cached.slice;
    }

    /** Returns whether a row, dead or not, has {@code key}. */
    boolean has(RowKey key) {
        return block.find(key) >= 0;
    }

    /** The slice of a moment without removed groups. */
    private record Shown(int end, int youngerEnd, BlockSlice slice) {}

    /**
     * Returns the rows of runs that the rows of the block replace. They are looked up once for each
     * version of the runs.
     *
     * @param reads counts the bytes read from the device
     */
    ReplacedRows replacedIn(RunView runs, ReadContext reads) {
        Replaced cached = replaced;
        if (cached == null || cached.version != runs.version()) {
            cached = new Replaced(runs.version(), runs.replacedBy(block, reads));
            if (cached.rows.areKnown()) {
                replaced = cached;
            }
        }
        return cached.rows;
    }

    /** What the block replaces in a version of the runs. */
    private record Replaced(long version, ReplacedRows rows) {}

    private BlockSlice newSlice(int end, int youngerEnd, BitSet gone) {
        int[] dead = new int[addresses.length];
        int deadCount = 0;
        for (int row = 0; row < addresses.length; row++) {
            if (tombstones.get(row)
                    || gone.get(row)
                    || table.rows().isReplaced(addresses[row], end, youngerEnd)) {
                dead[deadCount++] = row;
            }
        }
        DeadRows rows = DeadRows.of(Arrays.copyOf(dead, deadCount));
        return new BlockSlice(block, 0, addresses.length, rows);
    }

    /**
     * Returns the rows of an area in key order, without rows that were replaced or removed at a
     * moment. Whether a row was is checked when the cursor reaches it.
     *
     * @param end the end of the table's rows
     * @param youngerEnd the end of the newer table's rows
     * @param removed groups that were removed from the table by then
     * @param removedByYounger groups that the newer table had removed
     */
    RowCursor cursor(
            KeyArea area,
            Optional<RowKey> after,
            int end,
            int youngerEnd,
            RecentRemovedGroups removed,
            RemovedGroups removedByYounger) {
        BitSet gone = gone(removed, removedByYounger);
        return RowCursor.of(
                block,
                area,
                after,
                row -> gone.get(row) || table.rows().isReplaced(addresses[row], end, youngerEnd));
    }

    private BitSet gone(RecentRemovedGroups removed, RemovedGroups removedByYounger) {
        var gone = new BitSet(0);
        removed.addTo(gone, block, addresses);
        removedByYounger.forEachIn(block, (_, from, to) -> gone.set(from, to));
        return gone;
    }

    /** Increments the reference count; only for threads that already hold the block. */
    void hold() {
        holders.hold();
    }

    void release() {
        if (holders.release()) {
            whenReleased.run();
            table.account(-cost - tokenBytes.get());
        }
    }
}
