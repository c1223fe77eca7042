package org.crabro.content.recent;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.crabro.protocol.encoding.RowEncoding;

/**
 * What readers made of the rows of one scope of a table. Rows that can become no more of a block
 * are sealed as one when a reader first comes by. The others, the tail, are converted when a reader
 * comes, in parts: each but the last has as many rows as a power of two, and more than all behind
 * it. So a reader that comes after a row converts few again, and each row is converted few times.
 */
final class RecentBlocks {
    /** The tail's last part has less rows than this, the others at least as many. */
    private static final int PART_ROWS = 64;

    private final RecentTable table;
    private final RecentScope scope;

    // Guarded by this.
    private final List<RecentBlock> sealed = new ArrayList<>();
    private List<RecentBlock> tail = List.of();

    /** Blocks of rows that were removed with their group; their memory is the table's. */
    private final List<RecentBlock> retired = new ArrayList<>();

    /** The tombstone of the group behind which all blocks lie, 0 for none. */
    private int removal;

    /** Behind the last row that is sealed, 0 for none. */
    private int sealedTo;

    /** What was newest when the tail was made, and where the rows ended then. */
    private int newest;

    private int end;

    /**
     * What one reader sees of a scope, until it lets it go: a row that was replaced by one at or
     * behind {@code end} is alive for it.
     *
     * @param isRemoved whether the scope is a group that was removed: then nothing older is seen,
     *     and there is no row in the blocks that was written before
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

    /** Returns the rows as blocks, as of now; the caller releases them. */
    synchronized Moment moment() {
        int added = table.newestOf(scope);
        if (added != newest) {
            // Asked for after the newest, and under the lock: moments rise, so no block holds what
            // an earlier one must not see.
            end = table.end();
            retire(table.removal(scope, end));
            convert();
            // What is not published yet is asked for again.
            newest = added < end ? added : newest;
        }
        List<RecentBlock> all = new ArrayList<>(sealed);
        all.addAll(tail);
        all.forEach(RecentBlock::hold);
        // Where nothing was converted, rows that came meanwhile are none of this moment.
        return new Moment(end, removal != 0, all);
    }

    /** All rows that there were at the last moment are older than a tombstone that came since. */
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

    private void convertTail(int[] rest) {
        List<RecentBlock> parts = new ArrayList<>();
        List<RecentBlock> before = new ArrayList<>(tail);
        int from = 0;
        while (from < rest.length) {
            int left = rest.length - from;
            int count =
                    left < PART_ROWS ? left : PART_ROWS * Integer.highestOneBit(left / PART_ROWS);
            int[] rows = Arrays.copyOfRange(rest, from, from + count);
            RecentBlock part = part(before, rows);
            parts.add(part);
            // Where converting fails all that there is stays known, to be let go in the end.
            tail = Stream.concat(parts.stream(), before.stream()).toList();
            from += count;
        }
        before.forEach(RecentBlock::release);
        tail = parts;
    }

    /** Takes the block of some rows out of those made before, or makes one. */
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

    /** Lets go of what was made of the rows; nobody reads any more. */
    synchronized void close() {
        dropTail();
        retired.addAll(sealed);
        sealed.clear();
        retired.forEach(RecentBlock::release);
        retired.clear();
    }

    /** Returns where the block that begins at {@code from} ends: it never takes more. */
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
