package org.crabro.content.replication.raft;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The sizes of the entries of a log, summed up to a megabyte, so that their number has a bound. Not
 * thread-safe.
 */
final class RetainedBytes {
    private static final long STEP = 1 << 20;

    private final Deque<Mark> marks = new ArrayDeque<>();
    private long total;

    /** The bytes up to the last mark that was removed. */
    private long removed;

    /** All entries up to an index have so many bytes. */
    private record Mark(long index, long bytes) {}

    /** Adds entries up to an index. Indexes rise. */
    void add(long index, long bytes) {
        total += bytes;
        long marked = marks.isEmpty() ? removed : marks.getLast().bytes;
        if (total - marked >= STEP) {
            marks.add(new Mark(index, total));
        }
    }

    /** Returns about how many bytes the entries after an index have. */
    long after(long index) {
        long before = removed;
        for (Mark each : marks) {
            if (each.index > index) {
                break;
            }
            before = each.bytes;
        }
        return total - before;
    }

    /** Forgets the entries up to an index, which are deleted. */
    void delete(long index) {
        while (!marks.isEmpty() && marks.getFirst().index <= index) {
            removed = marks.removeFirst().bytes;
        }
    }
}
