package org.crabro.content.storage.memtable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.crabro.protocol.encoding.RowEncoding;

/**
 * The blocks that readers made of the rows of one scope of a table. Rows that fill a block are
 * sealed as one at the first read. The remaining rows, the tail, are converted at each read, in
 * parts. The size of each part except the last is {@link #PART_ROWS} times a power of two, and more
 * than half of the rows from it on. So a read after a new row converts few rows again, and each row
 * is converted few times.
 */
final class RecentBlocks {
    /** The last part of the tail has fewer rows than this; the others have at least as many. */
    private static final int PART_ROWS = 64;

    private final RecentTable table;
    private final RecentScope scope;

    // Guarded by this.
    private final List<RecentBlock> sealed = new ArrayList<>();
    private List<RecentBlock> tail = List.of();

    /** Blocks of rows that were removed with their group; the table owns their memory. */
    private final List<RecentBlock> retired = new ArrayList<>();

    /** The address of the group tombstone before all blocks, 0 for none. */
    private int removal;

    /** The address after the last sealed row, 0 for none. */
    private int sealedTo;

    /** The newest row, and the end of the rows, when the tail was made. */
    private int newest;

    private int end;

    /**
     * A snapshot of a scope for one reader, until it is released. A row that was replaced at or
     * after {@code end} is alive in it.
     *
     * @param isRemoved whether the scope is a removed group. Then the snapshot hides older tables
     *     and runs, and the blocks contain no row that was written before the removal.
     */
    record Moment(int end, boolean isRemoved, List<RecentBlock> blocks) {
        void release() {
            blocks.forEach(RecentBlock::release);
        }
    }

    RecentBlocks(RecentTable table, RecentScope scope) {
        this.table = table;
        this.scope = scope;
    }

    /** Returns the current rows as blocks; the caller releases them. */
    synchronized Moment moment() {
        int added = table.newestOf(scope);
        if (added != newest) {
            // Read the end after the newest row, and under the lock: ends only rise, so no block
            // contains a row that an earlier moment must not show.
            end = table.end();
            retire(table.removal(scope, end));
            convert();
            // A row that is not published yet is converted by the next call.
            newest = added < end ? added : newest;
        }
        List<RecentBlock> all = new ArrayList<>(sealed);
        all.addAll(tail);
        all.forEach(RecentBlock::hold);
        // If nothing was converted, rows that were added meanwhile are not part of this moment.
        return new Moment(end, removal != 0, all);
    }

    /** Retires all blocks if there is a new group tombstone: all their rows are older. */
    private void retire(int tombstone) {
        if (tombstone != removal) {
            removal = tombstone;
            dropTail();
            retired.addAll(sealed);
            sealed.clear();
            sealedTo = table.rows().behind(tombstone);
        }
    }

    private void convert() {
        int[] addresses = table.addresses(scope, sealedTo, end);
        int from = 0;
        while (from < addresses.length) {
            int to = endOfBlock(addresses, from);
            if (to == addresses.length && to - from < RecentBlock.ROWS_MAX) {
                break;
            }
            int[] block = Arrays.copyOfRange(addresses, from, to);
            sealed.add(RecentBlock.ofTableMemory(table, block));
            sealedTo = table.rows().behind(block[block.length - 1]);
            from = to;
        }
        convertTail(Arrays.copyOfRange(addresses, from, addresses.length));
    }

    private void convertTail(int[] remaining) {
        List<RecentBlock> parts = new ArrayList<>();
        List<RecentBlock> before = new ArrayList<>(tail);
        int from = 0;
        while (from < remaining.length) {
            int left = remaining.length - from;
            int count =
                    left < PART_ROWS ? left : PART_ROWS * Integer.highestOneBit(left / PART_ROWS);
            int[] rows = Arrays.copyOfRange(remaining, from, from + count);
            RecentBlock part = part(before, rows);
            parts.add(part);
            // If a conversion fails, the tail still contains all parts, so that they are released
            // later.
            tail = Stream.concat(parts.stream(), before.stream()).toList();
            from += count;
        }
        before.forEach(RecentBlock::release);
        tail = parts;
    }

    /** Takes the block of {@code rows} from the previous parts, or makes one. */
    private RecentBlock part(List<RecentBlock> before, int[] rows) {
        for (int i = 0; i < before.size(); i++) {
            if (before.get(i).spans(rows)) {
                return before.remove(i);
            }
        }
        return RecentBlock.ofOwnMemory(table, rows);
    }

    private void dropTail() {
        tail.forEach(RecentBlock::release);
        tail = List.of();
    }

    /** Releases all blocks. There are no more readers. */
    synchronized void close() {
        dropTail();
        retired.addAll(sealed);
        sealed.clear();
        retired.forEach(RecentBlock::release);
        retired.clear();
    }

    /** Returns the end of the block that begins at {@code from}. More rows never change it. */
    private int endOfBlock(int[] addresses, int from) {
        RecentRows rows = table.rows();
        long fingerprint = RowEncoding.fingerprint(rows.row(addresses[from]));
        long bytes = 0;
        int to = from;
        while (to < addresses.length && to - from < RecentBlock.ROWS_MAX) {
            long size = rows.row(addresses[to]).byteSize();
            if (to > from
                    && (bytes + size > RecentBlock.BYTES_MAX
                            || RowEncoding.fingerprint(rows.row(addresses[to])) != fingerprint)) {
                break;
            }
            bytes += size;
            to++;
        }
        return to;
    }
}
