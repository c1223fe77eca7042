package org.crabro.content.storage.index;

import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.FixedBitSet;
import org.jspecify.annotations.Nullable;

/** The rows of a section that a search sees. Not to be modified any more. */
public final class LiveRows {
    private final @Nullable FixedBitSet dead;
    private final int rowCount;
    private final int count;

    /**
     * @param dead the other rows; null if there are none
     * @param rowCount the number of all rows
     */
    public LiveRows(@Nullable FixedBitSet dead, int rowCount) {
        this.dead = dead;
        this.rowCount = rowCount;
        this.count = rowCount - (dead == null ? 0 : dead.cardinality());
    }

    /**
     * Returns these rows without others.
     *
     * @param more rows, live or not
     */
    public LiveRows without(int[] more) {
        if (more.length == 0) {
            return this;
        }
        FixedBitSet all = dead == null ? new FixedBitSet(rowCount) : dead.clone();
        for (int row : more) {
            all.set(row);
        }
        return new LiveRows(all, rowCount);
    }

    /** Returns the number of live rows. */
    public int count() {
        return count;
    }

    /** Returns the number of all rows. */
    int rowCount() {
        return rowCount;
    }

    /** Returns whether all rows are live. */
    public boolean isEvery() {
        return dead == null;
    }

    /** Returns whether a row is live. */
    public boolean has(int row) {
        return dead == null || !dead.get(row);
    }

    /** Returns the first dead row from {@code row} on; {@link WordCursor#END} if there is none. */
    public int nextDead(int row) {
        return dead == null || row >= rowCount
                ? DocIdSetIterator.NO_MORE_DOCS
                : dead.nextSetBit(row);
    }

    /** Returns the rows of a set that are live. */
    public int[] of(RowSet rows) {
        FixedBitSet alive = rows.toBits();
        var live = new int[count(alive)];
        if (dead != null) {
            alive = alive.clone();
            alive.andNot(dead);
        }
        alive.intoArray(0, alive.length(), 0, live);
        return live;
    }

    /** Removes the dead rows from a set. */
    void retain(FixedBitSet rows) {
        if (dead != null) {
            rows.andNot(dead);
        }
    }

    /** Returns how many rows of a set are live. */
    int count(FixedBitSet rows) {
        int all = rows.cardinality();
        return dead == null ? all : all - (int) FixedBitSet.intersectionCount(rows, dead);
    }
}
