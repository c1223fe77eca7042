package org.crabro.content.raft;

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

    /** All entries up to an index have so many bytes. */
    private record Mark(long index, long bytes) {}

    /** Adds an entry. Indexes rise. */
    void add(long index, int bytes) {
        total += bytes;
        Mark last = marks.peekLast();
        if (last == null || total - last.bytes >= STEP) {
            marks.add(new Mark(index, total));
        }
    }

    /** Returns about how many bytes the entries after an index have. */
    long after(long index) {
        long before = 0;
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
        while (marks.size() > 1 && marks.peekFirst().index <= index) {
            marks.removeFirst();
        }
    }
}
