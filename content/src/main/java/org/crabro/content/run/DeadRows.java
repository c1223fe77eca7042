package org.crabro.content.run;

import java.util.Arrays;

/** Which rows of a block are not to be seen. Immutable. */
public final class DeadRows {
    /** No row. */
    public static final DeadRows NONE = new DeadRows(new int[0]);

    private final int[] rows;

    private DeadRows(int[] rows) {
        this.rows = rows;
    }

    /** Returns the dead rows {@code rows}, in rising order, each once. */
    public static DeadRows of(int[] rows) {
        return rows.length == 0 ? NONE : new DeadRows(rows.clone());
    }

    /** Returns the rows that are in this, in {@code that}, or in both. */
    public DeadRows and(DeadRows that) {
        if (isEmpty() || that.isEmpty()) {
            return isEmpty() ? that : this;
        }
        int[] both = new int[rows.length + that.rows.length];
        System.arraycopy(rows, 0, both, 0, rows.length);
        System.arraycopy(that.rows, 0, both, rows.length, that.rows.length);
        return new DeadRows(Arrays.stream(both).sorted().distinct().toArray());
    }

    public boolean isEmpty() {
        return rows.length == 0;
    }

    /** Returns whether {@code row} is dead. */
    public boolean has(int row) {
        return Arrays.binarySearch(rows, row) >= 0;
    }

    /** Returns how many rows from {@code from} to before {@code to} are dead. */
    public int count(int from, int to) {
        return position(to) - position(from);
    }

    /**
     * Writes the numbers of the live rows from {@code from} to before {@code to}.
     *
     * @param into receives them from index 0 on
     * @return how many there are
     */
    public int live(int from, int to, int[] into) {
        int count = 0;
        int next = position(from);
        for (int row = from; row < to; row++) {
            if (next < rows.length && rows[next] == row) {
                next++;
            } else {
                into[count++] = row;
            }
        }
        return count;
    }

    private int position(int row) {
        int found = Arrays.binarySearch(rows, row);
        return found >= 0 ? found : -found - 1;
    }
}
