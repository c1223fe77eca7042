package org.crabro.content.recent;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.crabro.content.run.StoredTypes;
import org.crabro.protocol.encoding.RowEncoding;

/**
 * The recent rows of one group, in the order in which they were applied.
 *
 * <p>One thread adds rows; any number reads. A reader's moment is one number, how many rows there
 * were: a row that was replaced by a later one than that is alive for it. Rows that can become no
 * more of a block are sealed as one when a reader first comes by; the others, the tail, are
 * converted when a reader comes, and kept until the next write.
 */
final class RecentGroup {
    private static final int FIRST_CAPACITY = 4;

    /** Written by one thread, by one reference: what lies below {@code count} never moves. */
    private volatile Rows rows =
            new Rows(new MemorySegment[FIRST_CAPACITY], new int[FIRST_CAPACITY], 0);

    /** Where a younger table replaced rows of this one; made when it does so for the first time. */
    private volatile int[] replacedByYounger = {};

    // What readers made of the rows; guarded by this.
    private final List<RecentBlock> sealed = new ArrayList<>();
    private Optional<RecentBlock> tail = Optional.empty();

    /** Rows and the moment they are seen at. */
    private static final class Rows {
        /** Encoded rows. */
        private final MemorySegment[] bytes;

        /** The index of the row that replaced one, 0 for none. */
        private final int[] replacedBy;

        private final int count;

        Rows(MemorySegment[] bytes, int[] replacedBy, int count) {
            this.bytes = bytes;
            this.replacedBy = replacedBy;
            this.count = count;
        }
    }

    /** What one reader sees of a group, until it lets it go. */
    record Moment(int count, List<RecentBlock> blocks) {
        void release() {
            blocks.forEach(RecentBlock::release);
        }
    }

    /**
     * Adds a row. Only for the thread that writes.
     *
     * @return its index
     */
    int add(MemorySegment row) {
        Rows before = rows;
        int index = before.count;
        MemorySegment[] bytes = before.bytes;
        int[] replacedBy = before.replacedBy;
        if (index == bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * index);
            replacedBy = Arrays.copyOf(replacedBy, 2 * index);
        }
        bytes[index] = row;
        rows = new Rows(bytes, replacedBy, index + 1);
        return index;
    }

    /** Says that the row at {@code index} is replaced by the next one that is added. */
    void replaceByNext(int index) {
        rows.replacedBy[index] = rows.count;
    }

    /**
     * Says that the row at {@code index}, of this group in a table that takes no more rows, is
     * replaced by one of the table that followed.
     *
     * @param youngerIndex of the row there, not added yet
     */
    void replaceByYounger(int index, int youngerIndex) {
        int[] replaced = replacedByYounger;
        if (replaced.length == 0) {
            replaced = new int[rows.count];
            replacedByYounger = replaced;
        }
        replaced[index] = youngerIndex + 1;
        // Whoever sees the younger row must see this; the younger row is published afterwards.
    }

    /** Returns the row at {@code index}. */
    MemorySegment row(int index) {
        return rows.bytes[index];
    }

    int count() {
        return rows.count;
    }

    /** Returns the indexes of the rows that no other of this table replaced. */
    int[] newest() {
        Rows now = rows;
        int[] newest = new int[now.count];
        int count = 0;
        for (int i = 0; i < now.count; i++) {
            if (now.replacedBy[i] == 0) {
                newest[count++] = i;
            }
        }
        return Arrays.copyOf(newest, count);
    }

    /**
     * Returns the rows as blocks, as of now; the caller releases them.
     *
     * @param memory for blocks that live as long as the table
     */
    synchronized Moment moment(Arena memory, StoredTypes types) {
        Rows now = rows;
        int from = sealed.isEmpty() ? 0 : sealed.getLast().to();
        int to = from;
        while (from < now.count) {
            to = endOfBlock(now, from);
            if (to == now.count && !isFull(now, from)) {
                break;
            }
            sealed.add(RecentBlock.of(this, from, to, memory, types));
            from = to;
        }
        List<RecentBlock> blocks = new ArrayList<>(sealed);
        if (from < now.count) {
            blocks.add(tail(from, now.count, types));
        } else {
            dropTail();
        }
        blocks.forEach(RecentBlock::hold);
        return new Moment(now.count, blocks);
    }

    private RecentBlock tail(int from, int to, StoredTypes types) {
        if (tail.isEmpty() || tail.get().from() != from || tail.get().to() != to) {
            dropTail();
            tail = Optional.of(RecentBlock.ofOwnMemory(this, from, to, types));
        }
        return tail.get();
    }

    private void dropTail() {
        tail.ifPresent(RecentBlock::release);
        tail = Optional.empty();
    }

    /** Lets go of what was made of the rows; nobody reads any more. */
    synchronized void close() {
        dropTail();
        sealed.forEach(RecentBlock::release);
        sealed.clear();
    }

    /** Returns where the block that begins with row {@code from} ends: it never takes more. */
    private static int endOfBlock(Rows now, int from) {
        long fingerprint = RowEncoding.fingerprint(now.bytes[from]);
        long bytes = 0;
        int to = from;
        while (to < now.count
                && to - from < RecentBlock.ROWS_MAX
                && (to == from || bytes + now.bytes[to].byteSize() <= RecentBlock.BYTES_MAX)
                && RowEncoding.fingerprint(now.bytes[to]) == fingerprint) {
            bytes += now.bytes[to].byteSize();
            to++;
        }
        return to;
    }

    /** Returns whether a block of all rows from {@code from} on takes no further row. */
    private static boolean isFull(Rows now, int from) {
        return now.count - from == RecentBlock.ROWS_MAX;
    }

    /**
     * Returns whether a row is dead at a moment.
     *
     * @param count how many rows of this group there were
     * @param youngerCount how many rows the same group of the younger table had
     */
    boolean isReplaced(int index, int count, int youngerCount) {
        int by = rows.replacedBy[index];
        if (by != 0 && by < count) {
            return true;
        }
        int[] younger = replacedByYounger;
        return index < younger.length && younger[index] != 0 && younger[index] <= youngerCount;
    }
}
