package org.crabro.content.search.match;

import org.crabro.content.storage.block.column.Presence;

/** Set operations on row numbers, which are stored in rising order at the front of an array. */
final class RowNumbers {
    private RowNumbers() {}

    /** Removes {@code out} from {@code rows} and returns how many remain. */
    static int without(int[] rows, int count, int[] out, int outCount) {
        if (outCount == 0) {
            return count;
        }
        int passed = 0;
        int next = 0;
        for (int i = 0; i < count; i++) {
            int row = rows[i];
            while (next < outCount && out[next] < row) {
                next++;
            }
            if (next == outCount || out[next] != row) {
                rows[passed++] = row;
            }
        }
        return passed;
    }

    /** Retains the rows that are in {@code others} too and returns how many remain. */
    static int common(int[] rows, int count, int[] others) {
        int passed = 0;
        int next = 0;
        for (int i = 0; i < count && next < others.length; i++) {
            int row = rows[i];
            while (next < others.length && others[next] < row) {
                next++;
            }
            if (next < others.length && others[next] == row) {
                rows[passed++] = row;
            }
        }
        return passed;
    }

    /** Retains the rows that have a value and returns how many remain. */
    static int present(Presence presence, int[] rows, int count) {
        return switch (presence) {
            case Presence.Every() -> count;
            case Presence.Some some -> {
                int passed = 0;
                for (int i = 0; i < count; i++) {
                    int row = rows[i];
                    rows[passed] = row;
                    passed += some.has(row) ? 1 : 0;
                }
                yield passed;
            }
        };
    }
}
