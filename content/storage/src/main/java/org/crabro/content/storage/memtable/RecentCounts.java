package org.crabro.content.storage.memtable;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.crabro.protocol.encoding.RowEncoding;

/**
 * The number of documents and tombstones among the newest rows of a table. One thread adds, any
 * number of threads read.
 *
 * <p>The next read after the removal of a group subtracts the rows of the group, once, so that the
 * removal itself stays cheap.
 */
final class RecentCounts {
    private final RecentRows rows;
    private final AtomicInteger documents = new AtomicInteger();
    private final AtomicInteger tombstones = new AtomicInteger();

    // Group tombstones whose group is not subtracted yet; guarded by this.
    private int[] uncounted = new int[4];
    private int uncountedCount;

    RecentCounts(RecentRows rows) {
        this.rows = rows;
    }

    /**
     * Counts a row.
     *
     * @param isTombstone whether the row is a tombstone
     * @param before the row that it replaces; 0 if there is none, or its group was removed since
     */
    void added(boolean isTombstone, int before) {
        boolean wasThere = before != 0;
        boolean wasTombstone = wasThere && isTombstone(before);
        if (!wasThere || wasTombstone != isTombstone) {
            of(isTombstone).incrementAndGet();
            if (wasThere) {
                of(wasTombstone).decrementAndGet();
            }
        }
    }

    private boolean isTombstone(int address) {
        return RowEncoding.isTombstone(rows.row(address));
    }

    private AtomicInteger of(boolean isTombstone) {
        return isTombstone ? tombstones : documents;
    }

    /**
     * Counts a group tombstone.
     *
     * @param before the previous tombstone of the same group, 0 for none
     */
    synchronized void removedGroup(int address, int before) {
        if (before == 0) {
            tombstones.incrementAndGet();
        }
        if (uncountedCount == uncounted.length) {
            uncounted = Arrays.copyOf(uncounted, 2 * uncountedCount);
        }
        uncounted[uncountedCount++] = address;
    }

    int documents() {
        countOff();
        return Math.max(0, documents.get());
    }

    int tombstones() {
        countOff();
        return Math.max(0, tombstones.get());
    }

    private synchronized void countOff() {
        for (int i = 0; i < uncountedCount; i++) {
            int tombstone = uncounted[i];
            int from = rows.tombstoneBefore(tombstone);
            for (int at = rows.previous(tombstone); at > from; at = rows.previous(at)) {
                if (!rows.isReplaced(at, tombstone, 0)) {
                    of(isTombstone(at)).decrementAndGet();
                }
            }
        }
        uncountedCount = 0;
    }
}
