package org.crabro.content.recent;

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
import org.crabro.content.block.BlockWriter;
import org.crabro.content.block.EncodedBlock;
import org.crabro.content.block.key.KeyArea;
import org.crabro.content.block.key.RowKey;
import org.crabro.content.dead.DeadRows;
import org.crabro.content.dead.RecentRemovedGroups;
import org.crabro.content.dead.RemovedGroups;
import org.crabro.content.layout.BlockLayout;
import org.crabro.content.read.BlockSlice;
import org.crabro.content.run.ReferenceCount;
import org.crabro.content.run.RowCursor;
import org.crabro.document.DocumentType;
import org.crabro.protocol.encoding.RowEncoding;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a scope that were applied one after another, as a block in key order. Rows replaced by
 * others of the block are left out. Counted: its memory lives until the last holder lets it go.
 */
final class RecentBlock {
    /** A block is made of no more rows. */
    static final int ROWS_MAX = BlockLayout.ROWS_MAX;

    /** A block of more than one row is made of no more bytes of rows. */
    static final int BYTES_MAX = BlockWriter.BYTES_MAX;

    /** What a block costs besides its bytes and addresses, about. */
    private static final int OVERHEAD = 512;

    private final RecentTable table;
    private final int first;
    private final int last;

    /** Of how many rows it was made. */
    private final int made;

    private final EncodedBlock block;

    /** The address in the table of each row of the block. */
    private final int[] addresses;

    private final BitSet tombstones;
    private final long cost;
    private final Runnable whenReleased;
    private final ReferenceCount holders = new ReferenceCount();
    private volatile @Nullable Shown shown;

    /** What the words of its texts take of its own memory. */
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
        this.cost = OVERHEAD + block.byteSize() + (long) Integer.BYTES * addresses.length;
        table.account(cost);
    }

    private void accountTokens(long bytes) {
        tokenBytes.addAndGet(bytes);
        table.account(bytes);
    }

    private record Keyed(RowKey key, int address) {}

    /**
     * Returns a block in memory that lives as long as the table. The words of its searched texts
     * are kept from the first query on that asks for them; what they take is the table's.
     *
     * @param addresses at least one, rising, of rows of one type
     */
    static RecentBlock ofTableMemory(RecentTable table, int[] addresses) {
        return new RecentBlock(table, addresses, table.memory(), false, () -> {});
    }

    /**
     * Returns a block in memory of its own, which it gives back when nobody holds it. The words of
     * its searched texts are kept there, too.
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

    /** Returns whether this is made of the rows of a scope from the first to the last of these. */
    boolean spans(int[] others) {
        return first == others[0] && last == others[others.length - 1] && made == others.length;
    }

    /**
     * Returns all rows of the block, those dead that are tombstones, or replaced or removed at a
     * moment.
     *
     * @param end where the table's rows ended
     * @param youngerEnd where those of the younger table did
     * @param removed groups that were removed from the table by then
     * @param removedByYounger groups that the younger table had removed
     */
    BlockSlice slice(
            int end, int youngerEnd, RecentRemovedGroups removed, RemovedGroups removedByYounger) {
        if (!removed.groups().isEmpty() || !removedByYounger.isEmpty()) {
            return newSlice(end, youngerEnd, gone(removed, removedByYounger));
        }
        // Whether a row is replaced at a moment stays as it is, and most moments are like the last.
        Shown known = shown;
        if (known == null || known.end != end || known.youngerEnd != youngerEnd) {
            known = new Shown(end, youngerEnd, newSlice(end, youngerEnd, new BitSet(0)));
            shown = known;
        }
        return known.slice;
    }

    /** What the block shows at a moment, where no group was removed. */
    private record Shown(int end, int youngerEnd, BlockSlice slice) {}

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
     * Returns the rows of an area in the order of their keys. Those that were replaced or removed
     * at a moment are gone; what a row became is found out when it is asked for.
     *
     * @param end where the table's rows ended
     * @param youngerEnd where those of the younger table did
     * @param removed groups that were removed from the table by then
     * @param removedByYounger groups that the younger table had removed
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

    /** Holds the block once more; only who holds it already may. */
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
